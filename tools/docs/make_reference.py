#!/usr/bin/env python3
"""Writes docs/reference and the generated tables of README.md and docs/modeling from what the program tells about itself, and the files
that CONTRIBUTING.md shows.

    make_reference.py PROGRAM            writes
    make_reference.py PROGRAM --check    writes nothing; names what is stale and ends with 1

A generated table stands between `<!-- generated: NAME -->` and `<!-- end -->`, a file that is shown behind the fence `cpp from FILE`; the
rest of such a page is written by hand.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
# laws have a page each; kind, title, where to read which one to take
LAWS = [
    ("friction", "Friction laws", "Which one to take: [choosing a law](../../modeling/friction.md)."),
    ("contact", "Contact laws", "Which one to take: [contact laws](../../theory/contact-laws.md)."),
]
# kind, file, title
KINDS = [
    ("integrator", "integrators.md", "Integrators"),
    ("controller", "controllers.md", "Step rules"),
    ("enforcement", "enforcements.md", "Enforcement of joints"),
    ("body", "bodies.md", "Bodies"),
    ("shape", "shapes.md", "Shapes"),
    ("cross_section", "cross_sections.md", "Cross-sections of beams"),
    ("force", "forces.md", "Forces"),
    ("joint", "joints.md", "Joints"),
    ("drive", "drives.md", "Drives of joints"),
    ("surface", "surfaces.md", "Surfaces that touch"),
    ("outline", "outlines.md", "Outlines that touch in the plane"),
    ("analysis", "analyses.md", "Analyses"),
    ("section", "sections.md", "Other sections"),
]
WITH_TABLES = ["README.md", "docs/modeling/model-file.md"]
COLUMNS = ["key", "unit", "range", "default", "meaning"]
OPTIONAL = {"cvode"}  # built only where SUNDIALS is present


def ask(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def names_of(program, kind):
    """Names and summaries in the order of the program."""
    found = []
    for line in ask(program, "list", kind).splitlines():
        match = re.match(r"  (\S+)\s+(.*)", line)
        if match:
            found.append((match.group(1), match.group(2).strip()))
    return found


class Entry:
    """What `bristle info KIND NAME` says."""

    def __init__(self, program, kind, name, summary):
        self.name, self.summary = name, summary
        lines = ask(program, "info", kind, name).splitlines()[2:]
        head = next((i for i, line in enumerate(lines) if re.match(r"key\s+unit\s+range\s+default\s+meaning", line)), None)
        self.rows = []
        rest = lines
        if head is None:
            start = next((i for i, line in enumerate(lines) if re.match(r"[a-z]+:", line)), len(lines))
            self.page, rest = lines[:start], lines[start:]
        else:
            self.page = lines[:head]
            starts = [lines[head].index(column) for column in COLUMNS] + [None]
            end = head + 1
            while end < len(lines) and lines[end].strip():
                self.rows.append([lines[end][a:b].strip() for a, b in zip(starts, starts[1:])])
                end += 1
            rest = lines[end:]
        self.example = "\n".join(rest).strip("\n")

    def table(self):
        if not self.rows:
            return "No keys beside `type`.\n"
        out = ["| key | unit | range | default | meaning |", "|---|---|---|---|---|"]
        for key, *others in self.rows:
            others = [escaped(cell) for cell in others]
            out.append(f"| `{key}` | " + " | ".join(others) + " |")
        return "\n".join(out) + "\n"

    def text(self):
        """The comment block of a law as a page: its parts get bold names, the rest stays."""
        lines = []
        for line in self.page:
            if not line.startswith("    "):
                line = re.sub(r"^(Equations|Parameters|Memory|Cannot|Reference)\b", r"**\1**", line)
                line = re.sub(r"<(?=[A-Za-z])", "&lt;", line)
            lines.append(line.rstrip())
        return "\n".join(lines).strip("\n") + "\n"


def escaped(text):
    return text.replace("|", "\\|")


NOTE = "<!-- Written by tools/docs/make_reference.py; changes belong into the source of the program. -->\n"


def law_page(entry):
    return (f"{NOTE}\n# {entry.name}\n\n{entry.summary[0].upper() + entry.summary[1:]}.\n\n{entry.text()}\n## Keys\n\n{entry.table()}\n"
            f"```yaml\n{entry.example}\n```\n")


def law_index(title, choosing, laws):
    rows = "\n".join(f"| [`{e.name}`]({e.name}.md) | {e.summary} |" for e in laws)
    return f"{NOTE}\n# {title}\n\n{choosing}\n\n| law | |\n|---|---|\n{rows}\n"


def kind_page(title, entries):
    out = [NOTE, f"# {title}\n"]
    for e in entries:
        out.append(f"## {e.name}\n\n{e.summary[0].upper() + e.summary[1:]}.\n")
        if e.text().strip():
            out.append(e.text())
        out.append(e.table())
        out.append(f"```yaml\n{e.example}\n```\n")
    return "\n".join(out)


def index_page(program):
    out = [NOTE, "# Reference\n", "All that a model can be made of, as the program tells it: `bristle list`, `bristle info <kind> <name>`.\n",
           *(f"- [{title}]({kind}/index.md)" for kind, title, _ in LAWS)]
    out += [f"- [{title}]({file})" for _, file, title in KINDS]
    out.append("\n`bristle schema` prints the same as a JSON Schema for completion in editors.\n")
    return "\n".join(out)


def pages(program):
    """All files and generated tables, as {path: text}."""
    entries = {kind: [Entry(program, kind, *n) for n in names_of(program, kind)] for kind, _, _ in KINDS}
    laws = {kind: [Entry(program, kind, *n) for n in names_of(program, kind)] for kind, _, _ in LAWS}
    made = {REFERENCE / "index.md": index_page(program)}
    for kind, title, choosing in LAWS:
        made[REFERENCE / kind / "index.md"] = law_index(title, choosing, laws[kind])
        for law in laws[kind]:
            made[REFERENCE / kind / f"{law.name}.md"] = law_page(law)
    for kind, file, title in KINDS:
        made[REFERENCE / file] = kind_page(title, entries[kind])

    tables = {f"{kind} laws": "| law | |\n|---|---|\n" + "".join(
        f"| [`{e.name}`](docs/reference/{kind}/{e.name}.md) | {e.summary} |\n" for e in laws[kind]) for kind, _, _ in LAWS}
    for kind, _, _ in KINDS:
        tables[f"{kind} list"] = "| type | |\n|---|---|\n" + "".join(f"| `{e.name}` | {e.summary} |\n" for e in entries[kind])
        for e in entries[kind]:
            tables[f"{kind} {e.name}"] = e.table()
    for name in WITH_TABLES:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")

        def fill(match):
            if match.group(1) not in tables:
                sys.exit(f"{name}: there is no generated table '{match.group(1)}'")
            return f"<!-- generated: {match.group(1)} -->\n{tables[match.group(1)]}<!-- end -->"

        made[path] = re.sub(r"<!-- generated: (.*?) -->\n.*?<!-- end -->", fill, text, flags=re.DOTALL)
    path = ROOT / "CONTRIBUTING.md"
    made[path] = re.sub(r"^(```\w+ from (\S+)\n).*?^```$",
                        lambda m: m.group(1) + (ROOT / m.group(2)).read_text(encoding="utf-8") + "```",
                        path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    missing = OPTIONAL - {e.name for e in entries["integrator"]}
    if missing:  # a program without an optional part cannot say what its pages should be
        made = {path: text for path, text in made.items() if path.name not in ("integrators.md", "model-file.md")}
    return made


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    check = "--check" in arguments
    made = pages(arguments[0])
    kept = {p for p in made}
    stale = [p for p, text in made.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    left = [p for kind, _, _ in LAWS for p in (REFERENCE / kind).glob("*.md") if p not in kept]
    if check:
        for p in stale + left:
            print(f"stale: {p.relative_to(ROOT)}")
        if stale or left:
            print("tools/docs/update.sh writes them anew")
        return 1 if stale or left else 0
    for p in stale:
        p.parent.mkdir(parents=True, exist_ok=True)
        p.write_text(made[p], encoding="utf-8")
        print(f"written: {p.relative_to(ROOT)}")
    for p in left:
        p.unlink()
        print(f"removed: {p.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
