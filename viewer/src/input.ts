// The model file as it was run, with line numbers.

import { el, section } from "./dom";
import type { Page } from "./panels";

export function makeInput({ report }: Page): HTMLElement | null {
  if (!report.input.trim()) return null;
  const { root, body } = section("input", "Input");
  const lines = report.input.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");

  const copy = el("button", { type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    copy.textContent = (await copyText(report.input)) ? "Copied" : "Copying failed";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  });
  root.querySelector(".head")?.append(copy);

  const numbers = el("pre", { class: "numbers", "aria-hidden": "true" }, lines.map((_, i) => i + 1).join("\n"));
  const code = el("code");
  lines.forEach((line, i) => code.append(...(i > 0 ? ["\n"] : []), ...coloured(line)));
  body.append(el("div", { class: "card code", tabindex: "0", role: "region", "aria-label": "Text of the model file" }, numbers, el("pre", {}, code)));
  return root;
}

// keys and comments set apart; no more YAML than that
function coloured(line: string): (Node | string)[] {
  const [, before, key, rest] = /^(\s*(?:- )?)([\w.-]+(?=\s*:(?:\s|$)))?(.*)$/.exec(line) ?? ["", "", "", line];
  const comment = /(^|\s)#.*$/.exec(rest);
  const plain = comment ? rest.slice(0, comment.index) : rest;
  return [before, key ? el("span", { class: "key" }, key) : "", plain, comment ? el("span", { class: "comment" }, comment[0]) : ""];
}

// a page opened from a file may lack the clipboard interface
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
