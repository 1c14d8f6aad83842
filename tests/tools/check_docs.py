#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Checks the documents of the repository (*.md): links and anchors, paths in backticks, widths of lines, options of
# `tabia` command lines, and that their commands run.
#
#   check_docs.py [--bin DIR] [--no-run] [--verbose] [FILE.md ...]
#
# A fenced block says by its info string how its commands are checked:
#
#   ```sh             run, in order, in a scratch directory of the document, with DIR first on PATH
#   ```sh long        not run: it takes longer than a minute
#   ```sh elsewhere   not run: it needs other programs, data or machines, or it changes the source tree
#   ```sql            run by `tabia db sql games.db`
#
# Other blocks are not run. A comment `<!-- sh`, commands, `-->` runs too, but readers do not see it. The options of
# every `tabia` command, run or not, must be in its help text.
#
# The tables of docs/data/*.csv must be readable: rows of equal length, and each id once. Rows that a page cites by
# their id must be there.
import argparse
import csv
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ".ci cli cmake configs db docs engine selfplay tests tuner".split()
WIDTH_MAX = 120
README_LINES_MAX = 150
BLOCK_SECONDS_MAX = 60
errors = []


def complain(document, line, what):
    errors.append(f"{document}:{line}: {what}")


class Document:
    """The parts of a Markdown file: blocks (line, info, text), and prose, which is what stands outside them."""

    def __init__(self, path):
        self.name = path.relative_to(ROOT).as_posix()
        self.path = path
        self.blocks = []
        self.prose = []  # (line number, text)
        self.read(path.read_text().split("\n"))

    def read(self, lines):
        info = None
        for number, line in enumerate(lines, 1):
            if info is None:
                opening = re.match(r"\s*```(.*)", line) or re.match(r"<!-- (sh)$", line)
                if opening:
                    info, first, text = opening[1].strip(), number, []
                    closing = "-->" if line.startswith("<!--") else "```"
                else:
                    self.prose.append((number, line))
            elif line.strip() == closing:
                self.blocks.append((first, info, "\n".join(text)))
                info = None
            else:
                text.append(line)
        if info is not None:
            complain(self.name, first, "this block has no end")

    def spans(self):
        """(line, text) of what stands in backticks, also where it goes on in the next line."""
        paragraph = []
        for number, line in [*self.prose, (0, "")]:
            if line.strip() and not line.startswith("|"):
                paragraph.append((number, line))
                continue
            for part in (paragraph, [(number, line)]):
                text = " ".join(text for _, text in part)
                for match in re.finditer(r"`([^`]+)`", text):
                    yield part[0][0], match[1].replace("\\|", "|")
            paragraph = []


def anchors(path):
    """The anchors of a file's headings, as GitHub forms them."""
    names = set()
    for _, line in Document(path).prose:
        if heading := re.match(r"#+ (.*)", line):
            text = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading[1]).lower())
            name, count = text.strip().replace(" ", "-"), 1
            while name in names:
                name, count = f"{text.strip().replace(' ', '-')}-{count}", count + 1
            names.add(name)
    return names


def check_links(document):
    for number, line in document.prose:
        for target in re.findall(r"\]\(([^)\s]+)\)|(?:src|href|srcset)=\"([^\"]+)\"", line):
            target = target[0] or target[1]
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            path = (document.path.parent / file).resolve() if file else document.path
            if not path.exists():
                complain(document.name, number, f"link to {target}: there is no such file")
            elif anchor and anchor not in anchors(path):
                complain(document.name, number, f"link to {target}: there is no such heading")


def check_paths(document):
    pattern = re.compile(rf"(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./*{{}},-]*\w(?:\*|\}})?/?$")
    for number, span in document.spans():
        for word in span.split():
            if not pattern.match(word):
                continue
            words = [word]
            while match := re.match(r"(.*)\{([^}]*)\}(.*)", words[0]):
                words = [match[1] + choice + match[3] for choice in match[2].split(",")] + words[1:]
            for path in words:
                path = re.sub(r"\b[A-Z]+\b|(?<=_)[A-Z]+", "*", path) if "README" not in path else path
                if not any(ROOT.glob(path.rstrip("/"))):
                    complain(document.name, number, f"{word}: there is no such file in the repository")


def check_sizes(document):
    for number, line in document.prose:
        if len(line) > WIDTH_MAX and not line.startswith("|") and " " in line.strip():
            complain(document.name, number, f"{len(line)} columns, more than {WIDTH_MAX}")
    lines = len(document.path.read_text().splitlines())
    if document.name == "README.md" and lines > README_LINES_MAX:
        complain(document.name, lines, f"more than {README_LINES_MAX} lines")


def command_lines(text):
    """The words of each simple command of a piece of shell."""
    waiting = ""
    for line in text.replace("\\\n", " ").split("\n"):
        waiting = f"{waiting}\n{line}" if waiting else line
        lexer = shlex.shlex(waiting, posix=True, punctuation_chars=True)
        lexer.wordchars += ",:+%@^\\[]{}…!"
        try:
            words = list(lexer)
        except ValueError:  # a quotation that goes on in the next line
            continue
        waiting, command = "", []
        for word in [*words, ";"]:
            if set(word) <= set("();<>|&"):
                yield command
                command = []
            else:
                command.append(word)


def check_options(document, helps):
    pieces = [(line, text) for line, info, text in document.blocks if info.split()[:1] == ["sh"]]
    pieces += [(line, span) for line, span in document.spans() if re.match(r"tabia [a-z]", span)]
    for number, text in pieces:
        for words in command_lines(text):
            if "tabia" not in words:
                continue
            words = words[words.index("tabia") + 1:]
            if not words or not re.fullmatch(r"[a-z0-9]+", words[0]) or words[0] == "help":
                continue
            if not (known := helps(words[0])):
                complain(document.name, number, f"tabia {words[0]}: there is no such command")
                continue
            for option in words[1:]:
                name = option.split("=")[0]
                if re.fullmatch(r"--[a-z0-9-]+", name) and name not in known:
                    complain(document.name, number, f"tabia {words[0]} {name}: there is no such option")


def check_marks(document):
    for line, info, text in document.blocks:
        words = info.split()
        if words[:1] == ["sh"] and words[1:] not in ([], ["long"], ["elsewhere"]):
            complain(document.name, line, f"```{info}: the mark of a block is long or elsewhere")
        if not words and re.search(r"^(tabia|tabia-engine|mpirun|make|fastchess) ", text, re.M):
            complain(document.name, line, "commands stand in a block ```sh, or ```text where they are quoted")
    for number, line in document.prose:
        if re.match(r"( {4}|\t)\s*(tabia|tabia-engine|mpirun|make) ", line):
            complain(document.name, number, "commands stand in a block ```sh")


def check_data(folder):
    """Reads the tables of a folder. Returns the ids of their rows."""
    ids = set()
    for path in sorted(folder.glob("*.csv")):
        name = path.relative_to(ROOT).as_posix()
        with path.open(newline="") as file:
            header, *rows = csv.reader(file, strict=True)
        for number, row in enumerate(rows, 2):
            if len(row) != len(header):
                complain(name, number, f"{len(row)} columns, not {len(header)}")
            if header[0] == "id" and row:
                if row[0] in ids:
                    complain(name, number, f"the id {row[0]} is there twice")
                ids.add(row[0])
    return ids


def check_citations(document, ids):
    if "(data/" not in document.path.read_text():
        return
    for number, line in document.prose:
        for cited in re.findall(r"(?<![\w-])[elrs]\d+\b", line):
            if cited not in ids:
                complain(document.name, number, f"{cited}: no table of docs/data has such a row")


def run_blocks(document, environment):
    """Runs the blocks of a document; after the first that fails, the rest would fail because of it."""
    with tempfile.TemporaryDirectory() as scratch:
        for folder in FOLDERS:
            (pathlib.Path(scratch) / folder).symlink_to(ROOT / folder)
        for line, info, text in document.blocks:
            if info == "sh":
                command, given = ["bash", "-euo", "pipefail", "-c", text], None
            elif info == "sql":
                command, given = ["tabia", "db", "sql", "games.db"], text
            else:
                continue
            try:
                done = subprocess.run(command, cwd=scratch, env=environment, input=given, text=True, errors="replace",
                                      stdin=None if given else subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=BLOCK_SECONDS_MAX)
                code, output = done.returncode, done.stdout
            except subprocess.TimeoutExpired:
                code, output = f"none after {BLOCK_SECONDS_MAX} s", ""
            if code != 0:
                complain(document.name, line, f"exit code {code}\n{text}\n{output[-2000:]}")
                return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=ROOT / "build/release", type=pathlib.Path, help="folder of tabia")
    parser.add_argument("--no-run", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    if not (args.bin / "tabia").exists():
        parser.error(f"{args.bin}: no program tabia; build it, or name its folder with --bin")

    environment = {**os.environ, "NO_COLOR": "1", "PATH": f"{args.bin.resolve()}:{os.environ['PATH']}"}
    known_helps = {}

    def helps(command):
        if command not in known_helps:
            done = subprocess.run(["tabia", command, "--help=all"], env=environment, capture_output=True, text=True)
            options = re.findall(r"--[a-z0-9-]+", done.stdout) if done.returncode == 0 else []
            known_helps[command] = options and {*options, "--help"}
        return known_helps[command]

    ids = check_data(ROOT / "docs/data")
    files = args.files or [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    for document in (Document(file.resolve()) for file in sorted(files)):
        started = time.monotonic()
        for check in (check_links, check_paths, check_sizes, check_marks):
            check(document)
        check_options(document, helps)
        check_citations(document, ids)
        if not args.no_run:
            run_blocks(document, environment)
        if args.verbose:
            print(f"{document.name}: {len(document.blocks)} blocks, {time.monotonic() - started:.1f} s", flush=True)
    print("\n".join(dict.fromkeys(errors)) or f"{len(files)} documents: links, paths, options and commands hold")
    sys.exit(bool(errors))


main()
