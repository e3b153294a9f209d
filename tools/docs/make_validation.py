#!/usr/bin/env python3
"""Puts the tables of `bristle validate --markdown` into docs/validation.

    make_validation.py PROGRAM [CASE...]

Each page docs/validation/<case>.md has its prose by hand and one table between `<!-- generated: validation -->` and `<!-- end -->`.
A row that does not pass is written like any other; the program then ends with code 4, which is told and is no error here.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "validation"


def table_of(program, case):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.md"
        done = subprocess.run([program, "validate", "--only", case, "--markdown", str(file)], capture_output=True, text=True, timeout=1800)
        if done.returncode not in (0, 4):
            sys.exit(f"bristle validate --only {case} ended with {done.returncode}: {done.stderr}")
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        print(f"{case}: {done.stdout.strip().splitlines()[-1]}")
        return "\n".join(lines) + "\n"


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    program, cases = arguments[0], arguments[1:] or sorted(p.stem for p in PAGES.glob("*.md") if p.stem != "index")
    for case in cases:
        page = PAGES / f"{case}.md"
        text = page.read_text(encoding="utf-8")
        table = table_of(program, case)
        new, count = re.subn(r"<!-- generated: validation -->\n.*?<!-- end -->",
                             lambda _: f"<!-- generated: validation -->\n{table}<!-- end -->", text, flags=re.DOTALL)
        if count != 1:
            sys.exit(f"{page}: needs one generated table, has {count}")
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"written: docs/validation/{page.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
