#!/usr/bin/env python3
"""Collects the documentation pages of the laws of one kind into one C++ source.

    law_pages.py KIND OUTPUT.cpp HEADER...

The page of a law is the first comment block `/** ... */` of its header; its key is the name of the header without folder and
extension. Headers without such a block (helpers) are passed over. The source implements `KIND_page` of
bristle/KIND/registry.h; KIND is friction or contact.
"""
import pathlib
import re
import sys

PIECE = 8000  # bytes of one literal; compilers accept at least 16 kB
DELIMITER = "page"


def page_of(text):
    """The block without its marks, or None."""
    found = re.search(r"/\*\*(?!\*)(.*?)\*/", text, re.DOTALL)
    return found.group(1).strip() + "\n" if found else None


def pieces_of(page):
    """Cuts at ends of lines, so that no character is split."""
    piece, size = [], 0
    for line in page.splitlines(keepends=True):
        length = len(line.encode("utf-8"))
        if piece and size + length > PIECE:
            yield "".join(piece)
            piece, size = [], 0
        piece.append(line)
        size += length
    if piece:
        yield "".join(piece)


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    kind, output = arguments[0], pathlib.Path(arguments[1])
    headers = sorted(set(map(pathlib.Path, arguments[2:])), key=lambda p: p.stem)
    lines = [
        "// Written by law_pages.py from the comment blocks of the laws; changes belong there.",
        f'#include "bristle/{kind}/registry.h"',
        "",
        "namespace bristle {",
        "namespace {",
        "",
        "struct Piece {",
        "  std::string_view name;",
        "  const char* text;",
        "};",
        "constexpr Piece kPieces[] = {",
        '    {"", ""},',
    ]
    for header in headers:
        page = page_of(header.read_text(encoding="utf-8"))
        if page is None:
            continue
        if f'){DELIMITER}"' in page:
            print(f"{header}: the text contains the end mark of a literal", file=sys.stderr)
            return 1
        for piece in pieces_of(page):
            lines.append(f'    {{"{header.stem}", R"{DELIMITER}({piece}){DELIMITER}"}},')
    lines += [
        "};",
        "",
        "}  // namespace",
        "",
        f"std::string {kind}_page(std::string_view name) {{",
        "  std::string page;",
        "  for (const Piece& piece : kPieces) {",
        "    if (piece.name == name) page += piece.text;",
        "  }",
        "  return page;",
        "}",
        "",
        "}  // namespace bristle",
        "",
    ]
    text = "\n".join(lines)
    if not output.exists() or output.read_text(encoding="utf-8") != text:  # keep the time stamp when nothing changed
        output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
