#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a database from dumps of stored runs as if another search had played them: their bench signature is replaced,
and with it the hashes that name the runs.
    stored_run.py FILE.db SIGNATURE VERSION.sql DUMP.sql: a database of that version, the dump in place of its rows."""
import hashlib
import re
import sqlite3
import sys

ZEROS = " ".join(["S(   0,    0)"] * 8)  # "@8" in the dumps; "@64": eight rows of them
KINDS = {"selfplay": 1, "gauntlet": 2, "import": 3}  # RunKind


def uuid_of(kind, seed, generation, weights_a, weights_b, config_hash):
    """As run_identify() in db/store/run_record.c."""
    parts = [KINDS[kind], seed % 2**64, (-1 if generation is None else generation) % 2**64, weights_a or "", weights_b or "",
             config_hash]
    digest = bytearray(hashlib.sha256("".join(f"{part}\0" for part in parts).encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    return re.sub(r"(.{8})(.{4})(.{4})(.{4})(.*)", r"\1-\2-\3-\4-\5", digest.hex())


def main(path, signature, version, dump):
    db = sqlite3.connect(path)
    with open(version, encoding="utf-8") as tables, open(dump, encoding="utf-8") as rows:
        db.executescript(tables.read() + "DELETE FROM games; DELETE FROM players; DELETE FROM runs; DELETE FROM weights;" +
                         rows.read())
    search = re.compile(r'"search":\s*\d+')
    db.create_function("searched_by", 1, lambda config: search.sub(f'"search":{signature}', config))
    db.create_function("sha256", 1, lambda text: hashlib.sha256(text.encode()).hexdigest())
    db.create_function("uuid_of", 6, uuid_of)
    db.execute("UPDATE weights SET header = replace(replace(header, '@64', ?), '@8', ?)", ("\n".join([ZEROS] * 8), ZEROS))
    db.executescript("""
        UPDATE runs SET config = searched_by(config);
        UPDATE runs SET config_hash = sha256(config);
        UPDATE runs SET uuid = uuid_of(kind, seed, generation, (SELECT sha256 FROM weights WHERE weights_id = weights_a_id),
                                       (SELECT sha256 FROM weights WHERE weights_id = weights_b_id), config_hash);
        UPDATE players SET config = searched_by(config);
        UPDATE generations SET json = searched_by(json);""")
    db.close()


main(*sys.argv[1:])
