import { listenToSections } from '../section-events.ts';
import { create, setAttributes } from './drawn-element.ts';

/** What pointer and keyboard do to the sections of an element; see `listenToSections`. */
type GroupActions = Omit<Parameters<typeof listenToSections>[1], 'reach'>;

/** Elements of sections in one group: arrow keys move the focus within it, and the Tab key reaches one of them. */
export class SectionGroup {
  readonly element: HTMLElement;
  /** Of the sections that are drawn, by id. */
  #elements = new Map<string, HTMLElement>();
  #stop: string | null = null;
  /** Id of the section that the Tab key reaches. */
  #reachable: string | undefined;

  /** @param element  around the sections; a name: a new one with this CSS part and class */
  constructor(element: HTMLElement | string, actions: GroupActions) {
    this.element =
      typeof element === 'string' ? create('div', { role: 'group', part: element, class: element }) : element;
    listenToSections(this.element, { ...actions, reach: (id) => this.reach(id) });
  }

  /** Id of the section that had the focus last; null for none. */
  get stop(): string | null {
    return this.#stop;
  }

  reach(id: string): void {
    this.#stop = id;
    this.#settle([...this.#elements.keys()]);
  }

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
    this.#settle(ids);
  }

  /** The element of a section: that of before, or a copy of `model`. */
  add(id: string, model: HTMLElement): HTMLElement {
    const known = this.#elements.get(id);
    if (known) return known;
    const element = model.cloneNode() as HTMLElement; // as its model
    element.dataset['section'] = id;
    element.tabIndex = id === this.#reachable ? 0 : -1;
    this.#elements.set(id, element);
    return element;
  }

  #settle(ids: readonly string[]): void {
    this.#reachable = this.#stop !== null && ids.includes(this.#stop) ? this.#stop : ids[0];
    for (const [id, element] of this.#elements) setAttributes(element, { tabindex: id === this.#reachable ? 0 : -1 });
  }
}
