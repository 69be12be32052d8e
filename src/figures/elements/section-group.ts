import { sectionEvents } from '../section-events.ts';
import { create, setAttributes } from './drawn-element.ts';

/** What pointer and keyboard do to the sections of an element; see `sectionEvents`. */
type GroupActions = Omit<Parameters<typeof sectionEvents>[0], 'reach'>;

/** Elements of sections in one group: arrow keys move the focus within it, and the Tab key reaches one of them. */
export class SectionGroup {
  readonly element: HTMLElement;
  /** Of the sections that are drawn, by id. */
  #elements = new Map<string, HTMLElement>();
  /** Id of the section that the Tab key reaches; null: the first one. */
  #stop: string | null = null;

  /** @param name  of its CSS part and its class */
  constructor(name: string, actions: GroupActions) {
    this.element = create('div', { role: 'group', part: name, class: name });
    const reach = (id: string) => {
      this.#stop = id;
      this.#settle();
    };
    const events = sectionEvents({ ...actions, reach });
    this.element.addEventListener('pointerover', events.onPointerOver);
    this.element.addEventListener('pointerleave', events.onPointerLeave);
    this.element.addEventListener('focusin', events.onFocus);
    this.element.addEventListener('focusout', events.onBlur);
    this.element.addEventListener('click', events.onClick);
    this.element.addEventListener('keydown', events.onKeyDown);
  }

  /** The element of a section that is drawn. */
  elementOf(id: string): HTMLElement | undefined {
    return this.#elements.get(id);
  }

  /** The elements of these sections from now on: those of before, and others that are added. */
  keep(ids: readonly string[]): void {
    const old = this.#elements;
    this.#elements = new Map(
      ids.flatMap((id) => {
        const element = old.get(id);
        return element ? [[id, element] as const] : [];
      }),
    );
    this.#settle();
  }

  /** The element of a section: that of before, or a copy of `model`. */
  add(id: string, model: HTMLElement): HTMLElement {
    const known = this.#elements.get(id);
    if (known) return known;
    const element = model.cloneNode() as HTMLElement; // as its model
    element.dataset['section'] = id;
    element.tabIndex = this.#elements.size === 0 ? 0 : -1;
    this.#elements.set(id, element);
    return element;
  }

  #settle(): void {
    const [first = null] = this.#elements.keys();
    const stop = this.#stop !== null && this.#elements.has(this.#stop) ? this.#stop : first;
    for (const [id, element] of this.#elements) setAttributes(element, { tabindex: id === stop ? 0 : -1 });
  }
}
