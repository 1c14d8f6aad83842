#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Checks a page of `tabia report`, and cuts pictures from it.
#
#   page.py form PAGE               well-formed, complete by itself, below 2 MB, every chart described
#   page.py learn PAGE RESULTS      numbers of a run of `tabia learn` against its results.json
#   page.py matches PAGE RESULTS    ratings and crosstable against the JSON of tabia gauntlet of many players
#   page.py fit PAGE RESULTS        the last fit against the JSON of tabia tune
#   page.py tuning PAGE JSON [ROWS] values and gain of a tuning by matches; with its iterations, one a line, from those
#   page.py rating PAGE NAME ELO    the rating of a player in the table
#   page.py sources PAGE            runs the commands that each figure names, and finds its numbers in what they print
#   page.py picture PAGE TITLE FILE writes the chart or board with this title as an SVG file of its own
import decimal
import html
import html.parser
import json
import math
import re
import subprocess
import sys
import tempfile

VOID = {"meta", "link", "br", "path", "circle", "rect"}  # those of SVG end with "/>"


class Page(html.parser.HTMLParser):
    """Elements, tables by the heading of their figure, ids, and what is wrong with the form."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.errors, self.tables = [], [], [], {}
        self.links, self.charts, self.heading, self.row = [], [], "", None
        self.text = text
        self.feed(text)
        if self.open:
            self.errors.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("src", "href", "data", "style"):
            if name in attributes:
                self.links.append((tag, name, attributes[name]))
        self.links += [(tag, name, "") for name in attributes if name.startswith("on")]
        if tag in ("script", "iframe", "object", "img"):
            self.errors.append(f"<{tag}>")
        if tag == "svg":
            self.charts.append(attributes)
        if tag == "h3":
            self.heading = ""
        if tag == "tr":
            self.row = []
        if tag in ("td", "th") and self.row is not None:
            self.row.append("")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.errors.append(f"</{tag}> at {self.getpos()}")
        if tag == "tr":
            self.tables.setdefault(self.heading, []).append(self.row)
            self.row = None

    def handle_data(self, data):
        if self.open[-1:] == ["h3"]:
            self.heading += data
        if self.row and self.open[-1] in ("td", "th"):
            self.row[-1] += data

    def table(self, heading):
        head, *rows = self.tables[heading]
        return [dict(zip(head, row)) for row in rows]


def check(condition, text):
    if not condition:
        sys.exit(f"page.py: {text}")


def near(found, expected, decimals, what):
    check(found != "–" if expected is not None else found == "–", f"{what}: {found}, not {expected}")
    if expected is not None:
        check(abs(float(found) - expected) < 0.51 * 10**-decimals, f"{what}: {found}, not {expected}")


def check_form(text, page):
    check(not page.errors, page.errors)
    check(len(text.encode()) < 2_000_000, "2 MB or more")
    check(len(set(page.ids)) == len(page.ids), "an id occurs twice")
    for tag, name, value in page.links:
        inside = value.startswith("#") and value[1:] in page.ids
        check(inside or value == "data:,", f"<{tag} {name}=\"{value}\">")
    check("url(" not in text and "@import" not in text, "the style sheet loads something")
    for chart in page.charts:
        check(chart.get("role") == "img", "a chart without role")
        check(all(i in page.ids for i in chart["aria-labelledby"].split()), "a chart without description")
    check(not re.search(r"\b(nan|inf)\b", re.sub(r"<[^>]*>", " ", text).lower()), "a NaN is printed")
    check(not re.search(r'"[^"]*\bnan\b[^"]*"', text), "a NaN is drawn")
    check(text.count("<figure") == text.count("<summary>Source of the numbers"), "a figure without source")


def check_learn(page, results):
    against = results["against_material"]
    best = f"gen-{results['generation']:03d}"
    ratings = {row["Player"]: row for row in page.table("Ratings")}
    check("material" in ratings and float(ratings["material"]["Elo"]) == 0, "material is not at 0")
    if against["elo"] is not None and results["generation"]:  # the only match of material
        near(ratings[best]["Elo"], against["elo"], 1, f"rating of {best}")
    games = {name: 0 for name in ratings}
    first = re.search(r'"headline">From the rules of chess(?: to (?P<elo>[+-][\d.]+)(?: ± (?P<error>[\d.]+)| \[.*?\]) Elo (?:over|against)'
                      r"|, which (?:won|lost) all against) material(?: \((?:above|below) (?P<bound>[-+]\d+) Elo\))?: "
                      r"(?P<generations>\d+) generations?, (?P<games>[\d,]+) games, ", page.text)
    check(first, "the first line")
    if against["elo"] is None:
        near(first["bound"], against["elo_low"] if against["elo_high"] is None else against["elo_high"], 0, "bound of the first line")
    else:
        near(first["elo"], against["elo"], 1, "Elo of the first line")
        check((first["error"] is not None) == (against["elo_interval"] == "normal"), "interval of the first line")
        check(first["error"] is None or abs(float(first["error"]) - against["elo95"]) < 0.051, "error of the first line")
    played = sum(g["games"] for g in results["generations"])
    check((int(first["generations"]), int(first["games"].replace(",", ""))) == (len(results["generations"]), played), first[0])
    best_before = "gen-000"
    for g in results["generations"]:
        name = f"gen-{g['generation']:03d}"
        n = g["against_previous"]["games"]
        games[name] += n
        games[best_before] += n
        if g["against_start"]:
            games[name] += g["against_start"]["games"]
            games["gen-000"] += g["against_start"]["games"]
        best_before = name if g["accepted"] else best_before
    games[best] += against["games"]
    games["material"] += against["games"]
    for name, n in games.items():
        check(int(ratings[name]["Games"]) == n, f"games of {name}: {ratings[name]['Games']}, not {n}")
    heat = {row[0]: row[1:] for row in page.tables["Squares over the generations"][1:]}
    check(len(heat) == 6 and all(len(row) <= 8 for row in heat.values()), "rows of small boards")
    times = [sum(g[f"seconds_{s}"] for g in results["generations"]) for s in ("selfplay", "tune", "gauntlet")]
    shares = [float(n) for n in re.search(r"wall-clock time. all generations: self-play ([\d.]+), fits ([\d.]+), matches "
                                          r"([\d.]+)\.", page.text).groups()]
    check(all(abs(100 * t / sum(times) - s) < 0.051 for t, s in zip(times, shares)), f"times {shares}")
    pairs = {(row["Player"], row["Opponent"]) for row in page.table("Matches")}
    check((best, "material") in pairs and len(pairs) == len(page.table("Matches")), "matches beside those of generations")
    rows = page.table("Generations")
    check(len(rows) == len(results["generations"]), f"{len(rows)} generations")
    for row, g in zip(rows, results["generations"]):
        what, match = f"generation {g['generation']}", g["against_previous"]
        check(match is not None, f"{what} without a match")
        near(row["Generation"], g["generation"], 0, what)
        near(row["Positions"], g["positions"], 0, what)
        near(row["Training"], g["train_loss"], 5, what)
        near(row["Held out"], g["validation_loss"], 5, what)
        near(row["K"], g["k"], 3, what)
        check([int(row[k]) for k in ("Won", "Drawn", "Lost")] == [match[k] for k in ("wins", "draws", "losses")], what)
        if match["elo"] is not None:
            near(row["Elo ± 95 %"].split()[0], match["elo"], 1, what)
        check(row["Accepted"] == ("yes" if g["accepted"] else "no"), what)
        near(row["Seconds"], sum(g[f"seconds_{s}"] for s in ("selfplay", "tune", "gauntlet")), 1, what)


def check_matches(page, results):
    ratings = {row["Player"]: row for row in page.table("Ratings")}
    for p in results["players"]:
        row = ratings[p["name"]]
        near(row["Elo"], p["rating"], 1, f"rating of {p['name']}")
        near(row["95 % ±"], p["rating95"] or None, 1, f"error of {p['name']}") # the anchor has none
        check([int(row[k]) for k in ("Won", "Drawn", "Lost")] == [p[k] for k in ("wins", "draws", "losses")], p["name"])
    crosstable = {row["Player"]: row for row in page.table("Crosstable")}
    number = {row["Player"]: row["#"] for row in page.table("Crosstable")}
    for p in results["pairings"]:
        expected = f"{p['wins']}-{p['draws']}-{p['losses']}"
        found = crosstable[p["a"]][number[p["b"]]]
        check(found == expected, f"{p['a']} against {p['b']}: {found}, not {expected}")


def check_fit(page, results):
    row = page.table("Fits")[-1]
    near(row["Positions"], results["n"], 0, "positions")
    near(row["K"], results["k"], 4, "K")
    near(row["Training"], results["train"]["mse"], 6, "training")
    near(row["Held out"], results["validation"]["mse"], 6, "held out")
    rows = page.table("Held-out positions by phase")
    check([int(r["Positions"]) for r in rows] == [r["n"] for r in results["validation_breakdown"]["by_phase"]], "phases")


def check_tuning(page, results, rows):
    first = re.search(r'"headline">(\d+) iterations, gain by their games ([-+][\d.]+) ± ([\d.]+) Elo: ', page.text)
    check(first, "the first line of a tuning")
    near(first[2], results["gain"], 1, "gain")
    near(first[3], results["gain95"], 1, "its error")
    table = {row["Constant"]: row for row in page.table("Constants")}
    check(table and len(table) == len(results["constants"]), "constants")
    for c in results["constants"]:
        for column, key in (("Start", "start"), ("Now", "now"), ("Tried ±", "tried")):
            near(table[c["name"]][column], c[key], 1, f"{column} of {c['name']}")
    check(not any("plus" in row["Player"] for row in page.table("Ratings")) if "Ratings" in page.tables else True, "players")
    sides = [(float(score), json.loads(a), json.loads(b)) for score, a, b in (row.strip().split("|") for row in rows)]
    gain, half = 0.0, len(sides) // 2
    for (start, end), games in (((0, half), sides[half:]), ((half, -1), sides[:half])):
        for name in [c["name"] for c in results["constants"]] if games else ():
            value = [(a[name] + b[name]) / 2 for _, a, b in sides]
            gain += sum(score / (a[name] - b[name]) for score, a, b in games) / len(games) * (value[end] - value[start])
    check(not rows or abs(50 * 400 * math.log10(0.51 / 0.49) * gain - results["gain"]) < 1e-6, "gain")


NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"


def numbers_of(figure):
    """(number as it stands in the figure, whether it is a percentage) of its tables, charts and boards."""
    for table in re.findall("<table>.*?</table>", figure, re.S):
        heads = [html.unescape(head) for head in re.findall("<th[^>]*>(.*?)</th>", table)]
        for row in re.findall("<tr>(<td.*?)</tr>", table):
            for head, name, cell in zip(heads, *zip(*re.findall('<td( class="t")?>(.*?)</td>', row))):
                if head != "#" and (not name or head.startswith("Elo") or head.isdigit()):
                    cell = re.sub(r"(?<=\d)-(?=\d)", " ", cell)  # won-drawn-lost
                    yield from ((number, "%" in head) for number in re.findall(NUMBER, cell))
    for chart in re.findall("<svg.*?</svg>", figure, re.S):
        description = re.search("<desc[^>]*>(.*?)</desc>", chart, re.S)[1]
        if "Highest:" in description:
            squares = re.findall('<text class="mid"[^>]*>(-?\\d+)</text>', chart)
            check(len(squares) == 64, "a board without 64 squares")
            yield from ((number, False) for number in squares)
        elif ends := re.match(r"From (-?\d+) on .. to (-?\d+) on", description):
            yield from ((number, False) for number in ends.groups())
        elif " at " in description:
            steps = description.startswith("per cent")  # x: ends of bins; empty ones have no row
            description = description.replace("perfect: 0 at 0, 1 at 1", "")
            for y, x in re.findall(f"({NUMBER}) at ({NUMBER})", description):
                yield from [(y, False)] * (float(y) != 0) if steps else [(y, False), (x, False)]
        else:
            yield from ((number, False) for number in re.findall(r" (\d+\.\d)(?=[,.])", description) if float(number))


def printed(number, percentage, values):
    exact = decimal.Decimal(number)
    room = 0.5000001 * 10.0 ** exact.as_tuple().exponent
    return any(abs(value * scale - float(exact)) <= room for value in values for scale in (1, 100)[: 1 + percentage])


def check_sources(text):
    for figure in re.findall("<figure.*?</figure>", text, re.S):
        heading = html.unescape(re.search("<h3>(.*?)</h3>", figure)[1])
        source = html.unescape(re.search("<pre>(.*?)</pre>", figure, re.S)[1])
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(["bash", "-e", "-c", source], cwd=folder, capture_output=True, text=True)
        check(run.returncode == 0, f"{heading}: its source fails: {run.stderr}")
        values = {float(value) for value in re.findall(NUMBER, run.stdout)}
        if moves := re.search('<p class="moves">(.*?)</p>', figure):
            moves = [word for word in html.unescape(moves[1]).split() if not re.match(r"\d+[.…]", word)]
            rows = [line.split() for line in run.stdout.splitlines() if re.match(r" *\d+ ", line)]
            check(len(moves) == len(rows) and all(m in r for m, r in zip(moves, rows)), f"{heading}: moves")
            check(figure.count('class="light"') == -(-len(moves) // (10 * -(-len(moves) // 80))), f"{heading}: boards")
        numbers = list(numbers_of(figure))
        check(numbers or heading.startswith("Warnings"), f"{heading}: no numbers")
        for number, percentage in numbers:
            check(printed(number, percentage, values), f"{heading}: {number} is not what its source prints")


def cut_picture(text, title, path):
    """The first style sheet of the page is that of the charts."""
    style = re.search(r"<style>(.*?)</style>", text, re.S)[0]
    charts = re.findall(r"<svg.*?</svg>", text, re.S)
    chart = next((c for c in charts if re.search(f"<title[^>]*>{re.escape(title)}</title>", c)), None)
    check(chart, f"no chart \"{title}\"")
    chart = re.sub(r' (id|aria-labelledby)="[^"]*"', "", chart).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    style = style.replace("</style>", "svg{background:var(--ground)}\n</style>")
    chart = chart.replace("</desc>\n", f"</desc>\n{style}\n", 1)
    with open(path, "w", encoding="utf-8") as out:
        out.write(chart + "\n")


def main():
    what, path, *rest = sys.argv[1:]
    text = open(path, encoding="utf-8").read()
    page = Page(text)
    if what == "form":
        check_form(text, page)
    elif what == "learn":
        check_learn(page, json.load(open(rest[0], encoding="utf-8")))
    elif what == "sources":
        check_sources(text)
    elif what == "picture":
        cut_picture(text, *rest)
    elif what == "tuning":
        check_tuning(page, *(json.load(open(p)) if i == 0 else open(p).readlines() for i, p in enumerate(rest)),
                     *[()] * (len(rest) == 1))
    elif what in ("matches", "fit"):
        {"matches": check_matches, "fit": check_fit}[what](page, json.load(open(rest[0], encoding="utf-8")))
    else:
        row = next(row for row in page.table("Ratings") if row["Player"] == rest[0])
        near(row["Elo"], float(rest[1]), 1, rest[0])


main()
