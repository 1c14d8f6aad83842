#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types LINE and a tab into an interactive shell whose prompt is "ready> ", and waits for EXPECTED.

press_tab.py LINE EXPECTED SHELL...
"""

import os
import pty
import select
import signal
import sys
import time

SECONDS = 60


def main():
    line, expected = sys.argv[1:3]
    shell, terminal = pty.fork()
    if shell == 0:
        os.execvp(sys.argv[3], sys.argv[3:])
    shown, typed, end = b"", 0, time.monotonic() + SECONDS
    while time.monotonic() < end and expected.encode() not in shown[typed:]:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # EIO: the shell has ended
            break
        if not typed and b"ready> " in shown:
            typed = len(shown)
            os.write(terminal, line.encode() + b"\t")
    os.kill(shell, signal.SIGKILL)
    os.waitpid(shell, 0)
    if expected.encode() not in shown[typed:]:
        sys.exit(f"{sys.argv[3]}: after {line!r} and a tab: {shown!r}")


main()
