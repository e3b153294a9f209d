// Building elements in one line.

type Child = Node | string | null | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child) element.append(child);
  return element;
}

export function section(id: string, title: string, note = ""): { root: HTMLElement; body: HTMLElement } {
  const body = el("div", { class: "body" });
  const heading = el("h2", { id: `${id}-title` }, title);
  const root = el("section", { id, "aria-labelledby": `${id}-title` }, el("div", { class: "head" }, heading, note && el("p", {}, note)), body);
  return { root, body };
}

export function table(caption: string, headings: string[], rows: (Node | string)[][]): HTMLTableElement {
  const head = headings.length > 0 && el("thead", {}, el("tr", {}, ...headings.map((h) => el("th", { scope: "col" }, h))));
  const body = el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) => (i === 0 ? el("th", { scope: "row" }, cell) : el("td", {}, cell))))));
  return el("table", {}, el("caption", {}, caption), head, body);
}

/** Calls back with the width of an element now and whenever it changes. */
export function onWidth(element: HTMLElement, callback: (width: number) => void): () => void {
  let last = 0;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== last) callback((last = width));
  });
  observer.observe(element);
  return () => observer.disconnect();
}
