import { callIn, type Driver } from './drivers/driver.ts';

/** An answer of the API. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Who answers: the router in the page, or whatever the page's own `fetch` reaches. */
export type Transport = 'router' | 'fetch';

/** Sends a request from the page, with its own token unless another is given. */
export function ask(
  driver: Driver,
  transport: Transport,
  path: string,
  body: object,
  token: string | null = null,
): Promise<Answer> {
  return callIn(
    driver,
    async (by, url, text, bearer) => {
      const headers = { Authorization: `Bearer ${bearer ?? lightwell.token}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: text };
      const response = await (by === 'router' ? lightwell.fetch(url, init) : fetch(url, init));
      return { status: response.status, body: await response.json() };
    },
    transport,
    path,
    JSON.stringify(body),
    token,
  );
}

/** Opens the page and waits until its model can answer. */
export async function openReady(driver: Driver, url: string): Promise<void> {
  await openPage(driver, url);
  await callIn(driver, () => lightwell.ready);
}

/** Opens the page and waits until its script has run. */
export async function openPage(driver: Driver, url: string): Promise<void> {
  await driver.open(`${url}?backend=wasm`);
  await callIn(driver, async () => {
    while (!('lightwell' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 20));
  });
}

/** Waits until an element that the selector finds is in the page. */
export function appears(driver: Driver, selector: string): Promise<void> {
  return callIn(
    driver,
    async (wanted) => {
      while (document.querySelector(wanted) === null) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    selector,
  );
}

/** Writes into a field as if it had been typed. */
export function write(driver: Driver, testId: string, text: string): Promise<void> {
  return callIn(
    driver,
    (id, value) => {
      const field = document.querySelector(`[data-testid=${id}]`);
      if (!(field instanceof HTMLTextAreaElement)) throw new TypeError(`expected the text field ${id}`);
      // React watches the property of the element; its prototype's setter is what typing uses.
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, value);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    testId,
    text,
  );
}

/** Chooses a file in the prompt's file button. */
export function choosePicture(driver: Driver, name: string, type: string, data: string): Promise<void> {
  return callIn(
    driver,
    (fileName, fileType, base64) => {
      const input = document.querySelector('input[type=file]');
      if (!(input instanceof HTMLInputElement)) throw new TypeError('expected a file button');
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const chosen = new DataTransfer();
      chosen.items.add(new File([bytes], fileName, { type: fileType }));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    name,
    type,
    data,
  );
}

/** Presses the button that explains, waits for the end, and returns the score of each section of the heat map. */
export async function explainOnPage(driver: Driver, part: 'text' | 'picture'): Promise<number[]> {
  await callIn(driver, () => document.querySelector<HTMLButtonElement>('[data-testid=explain]')?.click());
  await appears(driver, 'lightwell-heat-map');
  await appears(driver, '[data-testid=explain]'); // while it runs, another button stands in its place
  return callIn(
    driver,
    (name) => {
      const drawn = document.querySelector('lightwell-heat-map')?.shadowRoot;
      const sections = drawn?.querySelectorAll(`[part=${name}] [data-score]`) ?? [];
      return [...sections].map((section) => Number(section.getAttribute('data-score')));
    },
    part,
  );
}

/** A heat map that the page saved or printed: its pixels, and how many of them are dark, as letters are. */
export interface DrawnMap {
  readonly width: number;
  readonly height: number;
  readonly dark: number;
}

/** Opens the dialog that saves a result if it is closed, and saves the heat map, or prints it as PDF. */
export async function drawnHeatMap(driver: Driver, format: 'png' | 'pdf'): Promise<DrawnMap> {
  await callIn(driver, () => {
    if (document.querySelector('[data-testid=export]')) return;
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === 'Save or share')?.click();
  });
  await appears(driver, `[data-testid=export] input[value=${format}]`);
  return callIn(
    driver,
    async (wanted) => {
      document.querySelector<HTMLInputElement>(`[data-testid=export] input[value=${wanted}]`)?.click();
      const name = wanted === 'pdf' ? 'Print' : 'Save PNG';
      const button = () =>
        [...document.querySelectorAll('[data-testid=export] button')].find(({ textContent }) => textContent === name);
      while (!button()) await new Promise((resolve) => setTimeout(resolve, 20));
      const original = URL.createObjectURL;
      const image = await new Promise<HTMLImageElement>((resolve) => {
        URL.createObjectURL = (blob: Blob) => {
          const reader = new FileReader();
          reader.onload = () => resolve(Object.assign(new Image(), { src: reader.result }));
          reader.readAsDataURL(blob);
          return '#saved'; // a download would ask where to
        };
        window.print = () => resolve(document.querySelector<HTMLImageElement>('body > img') ?? new Image());
        HTMLElement.prototype.click.call(button());
      });
      URL.createObjectURL = original;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const drawing = canvas.getContext('2d');
      if (!drawing) throw new Error('expected a canvas');
      drawing.drawImage(image, 0, 0);
      const { data } = drawing.getImageData(0, 0, width, height);
      let dark = 0;
      for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 100) dark++;
      dispatchEvent(new Event('afterprint'));
      return { width, height, dark };
    },
    format,
  );
}
