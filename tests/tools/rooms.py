#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Checks the dependency law of ARCHITECTURE.md on every #include: a room includes only rooms below it, a folder only
# the folders that it may; no room has more than 16 subjects, the
# commands left out, which are found by their names.
#
#   rooms.py [ROOT]    prints what breaks the law; exit code 1 if anything does
#   rooms.py --list    prints the rooms from the top down
import pathlib
import re
import sys

ROOMS = {  # from the top down
    "engine": "uci search eval notation board values base",
    "db": "chess tables store files",
    "selfplay": "match run game openings players formats",
    "tuner": "learn spsa job report network fit data",
    "cli": "commands learn page bench db match xboard tune play options output",
}
FOLDERS = {
    "engine": "",
    "db": "engine",
    "selfplay": "db engine",
    "tuner": "db engine",
    "cli": "selfplay tuner db engine",
}
ABOVE_SELFPLAY = ("tuner/learn", "tuner/spsa")  # tune by playing
SUBJECTS_MAX = 16
errors = []


def room_of(path):
    parts = path.split("/")
    return parts[0], parts[1] if len(parts) > 2 else ""


def check_include(source, target):
    (folder, room), (to_folder, to_room) = room_of(source), room_of(target)
    if to_folder != folder:
        allowed = FOLDERS[folder].split() + ["selfplay"] * (f"{folder}/{room}" in ABOVE_SELFPLAY)
        if to_folder not in allowed:
            errors.append(f"{source}: {folder} must not include {target}")
        elif folder == "db" and room != "chess" and to_room not in ("base", "values"):
            errors.append(f"{source}: the store must not include {target}: of the engine it uses base and values")
        return
    order = ROOMS[folder].split()
    if to_room and order.index(to_room) < order.index(room):
        errors.append(f"{source}: room {room} is below {to_room} and must not include {target}")


def subject(path):  # a .c and its .h are one
    return path.rsplit(".", 1)[0]


if sys.argv[1:] == ["--list"]:
    print("\n".join(f"{folder}/{room}" for folder in ROOMS for room in ROOMS[folder].split()))
    sys.exit()
root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
subjects = {}
for folder in ROOMS:
    for file in sorted((root / folder).rglob("*.[ch]")):
        source = file.relative_to(root).as_posix()
        folder, room = room_of(source)
        if room and room not in ROOMS[folder].split():
            errors.append(f"{source}: {folder}/{room} is not in the table of rooms")
            continue
        subjects.setdefault(f"{folder}/{room}", set()).add(subject(source))
        for target in re.findall(r'^#include "((?:engine|db|selfplay|tuner|cli|tests)/[^"]+)"', file.read_text(), re.M):
            check_include(source, target)
for room, names in subjects.items():
    names = {name for name in names if "/cmd_" not in name}
    if len(names) > SUBJECTS_MAX:
        errors.append(f"{room}: {len(names)} subjects, more than {SUBJECTS_MAX}")
print("\n".join(errors) or f"{len(subjects)} rooms: all includes go down")
sys.exit(bool(errors))
