// As much of a document as parts of the page need that draw nothing: elements with text.

class FakeElement {
  readonly children: (FakeElement | string)[] = [];
  readonly attributes: Record<string, string> = {};
  constructor(readonly tag: string) {}
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }
  get textContent(): string {
    return this.children.map((child) => (typeof child === "string" ? child : child.textContent)).join(" ");
  }
}

export const fakeDocument = { createElement: (tag: string) => new FakeElement(tag) };
