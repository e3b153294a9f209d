#!/usr/bin/env python3
"""Runs what the documentation shows.

    snippets_test.py PROGRAM

README.md, CONTRIBUTING.md and docs/**/*.md, by the words behind the fence:

    yaml            a complete model (has bristle, bodies and analysis) must pass `bristle check`
    yaml run        must also run
    yaml run NAME   and is there as NAME for the shell and Python of the same page
    sh tested       every line must end with 0; `bristle` is the program; one folder for each page
    python tested   must run in that folder; passed over where h5py is missing
    text from FILE / cpp from FILE    must be the text of that file of the repository

Links between pages and to headings must lead somewhere, no page may name a folder of a particular machine, the page about choosing
a friction law and the one about contact laws must know every law, and every joint must have a page with a model that uses it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"] + sorted((ROOT / "docs").rglob("*.md"))


def anchors_of(path):
    """Headings as the names that links use."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def is_model(text):
    return all(re.search(rf"^{key}:", text, re.MULTILINE) for key in ("bristle", "bodies", "analysis"))


class Page:
    def __init__(self, path, program):
        self.path, self.program, self.problems, self.done = path, program, [], {}

    def fail(self, line, what):
        self.problems.append(f"{self.path.relative_to(ROOT)}:{line}: {what}")

    def count(self, kind):
        self.done[kind] = self.done.get(kind, 0) + 1

    def call(self, command, line, folder, shell=False):
        environment = dict(os.environ, PATH=f"{pathlib.Path(self.program).parent}:{os.environ['PATH']}", MPLBACKEND="Agg")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", command] if shell else command, cwd=folder, env=environment,
                              capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            self.fail(line, f"ended with {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
        return done.returncode == 0

    def snippets(self, folder):
        text = self.path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            words, body = match.group(1).split(), match.group(2)
            line = text.count("\n", 0, match.start()) + 1
            if not words:
                continue
            if words[0] == "yaml":
                running = len(words) > 1 and words[1] == "run"
                if running and not is_model(body):
                    self.fail(line, "a model that is to be run needs bristle, bodies and analysis")
                elif is_model(body):
                    model = folder / (words[2] if len(words) > 2 else f"snippet_{line}.yaml")
                    model.write_text(body, encoding="utf-8")
                    if running:
                        self.call([self.program, "run", model.name, "--out", f"{model.stem}_of_test", "--no-report"], line, folder)
                    else:
                        self.call([self.program, "check", model.name], line, folder)
                    self.count("models run" if running else "models checked")
            elif words[:2] == ["sh", "tested"]:
                self.call(body, line, folder, shell=True)
                self.count("shell snippets")
            elif words[:2] == ["python", "tested"]:
                if subprocess.run([sys.executable, "-c", "import h5py, numpy"], capture_output=True).returncode == 0:
                    self.call([sys.executable, "-c", body], line, folder)
                    self.count("Python snippets")
            elif len(words) == 3 and words[1] == "from":
                if (ROOT / words[2]).read_text(encoding="utf-8") != body:
                    self.fail(line, f"is not the text of {words[2]}")
                self.count("files shown")

    def links(self):
        text = FENCE.sub(lambda m: "\n" * m.group(0).count("\n"), self.path.read_text(encoding="utf-8"))
        for match in re.finditer(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", text):
            target, anchor = match.groups()
            if re.match(r"[a-z]+:", target):
                continue
            line = text.count("\n", 0, match.start()) + 1
            there = self.path.parent / target if target else self.path
            if not there.exists():
                self.fail(line, f"the link {target} leads nowhere")
            elif anchor and anchor[1:] not in anchors_of(there):
                self.fail(line, f"{target} has no heading {anchor}")
            self.count("links")
        for match in re.finditer(r"(/home/|/wo[r]k/|/roo[t]/|/tmp/|/Users/)\S*", self.path.read_text(encoding="utf-8")):
            self.fail(0, f"names a folder of a machine: {match.group(0)}")


def joints_without_page(program):
    """`sliding` is described with the model file."""
    names = re.findall(r"^  (\S+)", subprocess.run([program, "list", "joint"], capture_output=True, text=True).stdout, re.MULTILINE)
    folder, problems = ROOT / "docs/modeling/joints", []
    table = (folder / "index.md").read_text(encoding="utf-8")
    for name in names:
        page = folder / f"{name}.md"
        if name == "sliding":
            continue
        if not page.exists():
            problems.append(f"docs/modeling/joints/{name}.md is missing")
            continue
        fences = FENCE.findall(page.read_text(encoding="utf-8"))
        if not any(words.startswith("yaml run") and f"type: {name}" in body for words, body in fences):
            problems.append(f"docs/modeling/joints/{name}.md has no model with such a joint that is run")
        if f"]({name}.md)" not in table:
            problems.append(f"docs/modeling/joints/index.md does not know '{name}'")
    return problems


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    program = str(pathlib.Path(arguments[0]).resolve())
    problems, done = [], {}
    for path in pages():
        if not path.exists():
            problems.append(f"{path.relative_to(ROOT)} is missing")
            continue
        page = Page(path, program)
        with tempfile.TemporaryDirectory() as folder:
            page.snippets(pathlib.Path(folder))
        page.links()
        problems += page.problems
        for kind, count in page.done.items():
            done[kind] = done.get(kind, 0) + count
    for kind, page in (("friction", "docs/modeling/friction.md"), ("contact", "docs/theory/contact-laws.md")):
        listed = subprocess.run([program, "list", kind], capture_output=True, text=True).stdout
        choosing = (ROOT / page).read_text(encoding="utf-8")
        problems += [f"{page} does not know '{name}'" for name in re.findall(r"^  (\S+)", listed, re.MULTILINE) if f"`{name}`" not in choosing]
    problems += joints_without_page(program)
    print(", ".join(f"{count} {kind}" for kind, count in done.items()))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
