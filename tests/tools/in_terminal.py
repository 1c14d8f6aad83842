#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command in a terminal of COLUMNS columns and prints what it writes there, as it is.

in_terminal.py COLUMNS COMMAND...
"""

import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    columns = int(sys.argv[1])
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        os.execvp(sys.argv[2], sys.argv[2:])
    while True:
        try:
            output = os.read(terminal, 65536)
        except OSError:  # EIO: the command has ended
            break
        if not output:
            break
        sys.stdout.buffer.write(output)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
