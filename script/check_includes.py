#!/usr/bin/env python3
"""Checks which modules of the library include which.

    check_includes.py [ROOT]

A module is a folder of src/bristle. The table says whose headers a module may include beside its own; anything else is an error, as is a
module that the table does not know, and a header that is no part of the library. Programs (apps/) and published cases (validation/) may include everything.
"""
import pathlib
import re
import sys

ALL = "all"
ALLOWED = {
    "base": "",
    "math": "base",
    "signal": "base math",
    "interface": "base math",
    "core": "math signal interface",
    "contact": "base math interface",
    "friction": "base math interface",
    "measure": "math interface",
    "body": "math signal core",
    "force": "base math signal core measure",
    "constraint": "math signal core measure",
    "place": "math signal core interface measure",
    "input": "base",
    "model": "base signal math input",
    "joint": "base measure",
    "enforce": "base math core",
    "integrate": "base math core enforce",
    "record": "base math core",
    "analyse": "base math signal core enforce integrate record",
    "ensemble": "base math interface core friction measure body force place integrate analyse",
    "assemble": "base math signal interface core contact friction measure body force constraint place joint model enforce integrate analyse ensemble",
    "study": "base math core input model record analyse assemble",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"bristle/([^/"]+)/')
OUTSIDE = re.compile(r'^\s*#\s*include\s*"(?!bristle/)([^"]+)"')


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    source = root / "src" / "bristle"
    problems, files = [], 0
    for path in sorted(p for p in source.rglob("*") if p.suffix in (".h", ".cpp")):
        files += 1
        module = path.relative_to(source).parts[0]
        name = path.relative_to(root)
        if module not in ALLOWED:
            problems.append(f"{name}:1: the module '{module}' is not in the table of {pathlib.Path(__file__).name}")
            continue
        everything = ALLOWED[module] == ALL
        allowed = {module, *ALLOWED[module].split()}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if found := OUTSIDE.match(line):
                problems.append(f"{name}:{number}: the library must not include '{found.group(1)}', which is no part of it")
            found = INCLUDE.match(line)
            if not everything and found and found.group(1) not in allowed:
                may = ALLOWED[module] or "nothing"
                problems.append(f"{name}:{number}: '{module}' must not include '{found.group(1)}'; it may include {may}")
    print("\n".join(problems) if problems else f"{files} files keep to the table")
    return 1 if problems else 0


sys.exit(main())
