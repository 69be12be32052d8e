import { LEVEL_STYLES } from '../scale.ts';
import influence from './influence.css?inline';
import bars from './bars.css?inline';
import styles from './elements.css?inline';
import heat from './heat-map.css?inline';
import matrix from './matrix.css?inline';

/** Servers import the module too: there it defines nothing, and no element can be made. */
const PageElement = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/** One for all elements, which a content security policy allows: it is neither in the page nor fetched. */
let sheet: CSSStyleSheet | undefined;

function sheetOf(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}

/** An element that draws its properties in its shadow root, once after any number of changes. */
export abstract class DrawnElement extends PageElement {
  protected readonly root: ShadowRoot;
  #isScheduled = false;

  constructor() {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    sheet ??= sheetOf(influence + LEVEL_STYLES + styles + heat + bars + matrix);
    this.root.adoptedStyleSheets = [sheet];
  }

  /** Properties that were set before the element was defined hide its own; they are set again. */
  connectedCallback(): void {
    const prototype: unknown = Object.getPrototypeOf(this);
    for (const [name, value] of Object.entries(this)) {
      if (!(name in (prototype as object))) continue;
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.changed();
  }

  /** Draws soon. */
  protected changed(): void {
    if (this.#isScheduled || !this.isConnected) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.draw();
    });
  }

  protected abstract draw(): void;

  /** Gives an element its properties, with what they are at first, and its name in the page; a name is given once. */
  protected static define(name: string, properties: Readonly<Record<string, unknown>>): void {
    for (const [property, initial] of Object.entries(properties)) {
      const values = new WeakMap<DrawnElement, unknown>();
      Object.defineProperty(this.prototype, property, {
        get(this: DrawnElement) {
          return values.has(this) ? values.get(this) : initial;
        },
        set(this: DrawnElement, value: unknown) {
          values.set(this, value);
          this.changed();
        },
      });
    }
    const registry = globalThis.customElements as CustomElementRegistry | undefined;
    if (registry && !registry.get(name)) registry.define(name, this as unknown as CustomElementConstructor);
  }
}

type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** An element with attributes and content. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  element.append(...content);
  return element;
}

/** Sets attributes, and removes those that are null or undefined. Only a change costs the browser anything. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === null || value === undefined ? null : String(value);
    if (element.getAttribute(name) === text) continue;
    if (text === null) element.removeAttribute(name);
    else element.setAttribute(name, text);
  }
}

/** Makes `nodes` the content of `parent`. What stays is not moved, so that it keeps the focus. */
export function arrange(parent: Node, nodes: readonly Node[]): void {
  const wanted = new Set(nodes);
  for (const child of Array.from(parent.childNodes)) if (!wanted.has(child)) child.remove();
  let next: Node | null = parent.firstChild;
  for (const node of nodes)
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
}
