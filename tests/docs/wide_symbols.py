#!/usr/bin/env python3
"""Code for wider registers must not end up where other code runs.

    wide_symbols.py LIBRARY

Sources compiled for processors with AVX2 or AVX-512 may not give the linker a function that others have too: it would take either, and the
program would end on a processor without them. So all functions that they share by name must have a Pack in it.
"""
import re
import subprocess
import sys


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    listed = subprocess.run(["nm", "-A", "--defined-only", arguments[0]], capture_output=True, text=True, check=True).stdout
    functions = re.findall(r":lanes_[0-9]+\.cpp\.o:\S+ ([TWV]) (\S+)", listed)
    foreign = [name for kind, name in functions if "4PackI" not in name and not re.match(r"_ZN7bristle1\d?flat_text_", name)
               and not (kind == "V" and "kLawTag" in name)]
    print(f"{len(functions)} symbols")
    for name in foreign:
        print(f"{name} is compiled for wider registers, and has no Pack in its name")
    return 1 if foreign or not functions else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
