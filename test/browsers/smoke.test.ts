import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER } from '../../server/setup/build.mjs';
import type { ExplainResponse } from '../../src/contract/explain.ts';
import { encodePng } from '../support/files/png.ts';
import { createAgreement } from './agreement.ts';
import { NEEDS, whyMissing } from './browsers.mjs';
import { openChromium } from './drivers/chromium.ts';
import { callIn, type Driver } from './drivers/driver.ts';
import { openFirefox } from './drivers/firefox.ts';
import { startProgram, type Program } from './drivers/program.ts';
import { openWebkit } from './drivers/webkit.ts';
import { appears, ask, choosePicture, explainOnPage, openPage, openReady, drawnHeatMap, write } from './page.ts';
import { EMBED, EMBEDDINGS, EXPLAIN, LATER, PICTURES, QUESTIONS } from './requests.ts';
import { TEXTS } from './texts.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Name and version of the browser that ran; the table shows it. */
    browser?: string;
  }
}

const BROWSERS = [
  { name: 'Chromium', open: openChromium, missing: null }, // the run ends earlier where there is none
  { name: 'Firefox ESR', open: openFirefox, missing: whyMissing(NEEDS.firefox) },
  { name: 'WebKitGTK', open: openWebkit, missing: whyMissing(NEEDS.webkit) },
];

/** More threads than this the engine never starts. */
const MAX_THREADS = 4;

const agreement = createAgreement();
let server: Program;
let url: string;

beforeAll(async () => {
  server = await startProgram(process.execPath, [SERVER, '--port', '0', '--no-open'], {
    says: /(http:\/\/localhost:\d+\/)/,
  });
  url = server.said;
});
afterAll(() => server.stop());

/** Where every browser must be there. */
const isComplete = process.env['CI'] === '1';

it.for(BROWSERS.filter(({ missing }) => missing !== null))('$name is installed', ({ missing }, { skip }) => {
  if (isComplete) expect.fail(String(missing));
  skip(String(missing));
});

describe.each(BROWSERS.filter(({ missing }) => missing === null))('$name', ({ name, open }) => {
  let driver: Driver;
  const agrees = (check: string, answer: unknown) =>
    expect(agreement.compare(name, check, answer), 'differences between browsers').toEqual([]);

  /** Every browser answers a request with 200, and alike. */
  const answersAlike = async (requests: typeof EMBEDDINGS) => {
    for (const [what, { path, body }] of Object.entries(requests)) {
      const answer = await ask(driver, 'router', path, body);
      expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBe(200);
      agrees(`${path} ${what}`, answer.body);
    }
  };

  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver?.close());

  it('opens the page, and its model gets ready', async ({ task }) => {
    task.meta.browser = driver.version;
    await openReady(driver, url);
    expect(await callIn(driver, () => crossOriginIsolated)).toBe(true);
  });

  it('says how many threads run', async () => {
    const { isShared, cores, badge } = await callIn(driver, () => ({
      isShared: typeof SharedArrayBuffer !== 'undefined',
      cores: navigator.hardwareConcurrency,
      badge: document.querySelector('[data-testid=model-badge]')?.textContent,
    }));
    const threads = isShared ? Math.min(MAX_THREADS, cores) : 1;
    expect(badge).toContain(threads === 1 ? 'WASM, 1 thread' : `WASM, ${threads} threads`);
  });

  it('explains on the page', async () => {
    const scores = await explainOnPage(driver, 'text');
    expect(scores.length).toBeGreaterThan(1);
    expect(scores.every(Number.isFinite)).toBe(true);
    agrees('scores on the page', scores);
  });

  it('saves its heat map as PNG, and prints it', async () => {
    const png = await drawnHeatMap(driver, 'png');
    expect(png.width).toBe(1280);
    expect(png.dark, 'dark pixels of letters').toBeGreaterThan(5000);
    const printed = await drawnHeatMap(driver, 'pdf');
    expect(printed).toMatchObject({ width: png.width / 2, height: png.height / 2 });
    expect(printed.dark, 'dark pixels of letters').toBeGreaterThan(1000);
    expect(await callIn(driver, () => document.querySelector('body > img')), 'after printing').toBe(null);
    await callIn(driver, () => document.querySelector<HTMLElement>('[data-testid=export] button')?.click());
  });

  it('explains over the API', () => answersAlike({ 'by tokens': EXPLAIN }));
  it('answers what it loads code for', () => answersAlike(LATER));
  it('explains pictures: PNG, JPEG and WebP', () => answersAlike(PICTURES));

  it('takes a large picture from a file', async () => {
    const noise = encodePng(400, 300, (x, y) => [(x * y) % 256, (x * x + y) % 256, (x + 31 * y * y) % 256]);
    await choosePicture(driver, 'noise.png', 'image/png', Buffer.from(noise).toString('base64'));
    await appears(driver, '[data-testid=prompt-picture] img');
    const source = await callIn(
      driver,
      () => document.querySelector<HTMLImageElement>('[data-testid=prompt-picture] img')?.src,
    );
    expect(source?.slice(0, 24), 'smaller than it was').toMatch(/^data:image\/(webp|jpeg);/);
    await callIn(driver, () => document.querySelector<HTMLElement>('[data-testid=remove-picture]')?.click());
  });

  it('embeds', () => answersAlike(EMBEDDINGS));
  it('answers questions', async () => {
    await answersAlike(QUESTIONS);
    const [, docx] = Object.values(QUESTIONS);
    expect(JSON.stringify(await ask(driver, 'router', '/qa', docx?.body ?? {}))).toContain('Ottilie Brandt');
  });

  it('cuts words and sentences', async () => {
    const cuts: Record<string, string[]> = {};
    for (const [what, prompt] of Object.entries(TEXTS)) {
      for (const type of ['word', 'sentence']) {
        const body = { model: 'lightwell-base', prompt, target: ' a', prompt_granularity: { type } };
        const answer = await ask(driver, 'router', '/explain', body);
        expect(answer.status, what).toBe(200);
        cuts[`${what}, by ${type}`] = piecesOf(prompt, answer.body as ExplainResponse);
      }
    }
    agrees('cuts', cuts);
  });

  it('answers fetch through its service worker', async () => {
    await callIn(driver, async () => {
      while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const inPage = await ask(driver, 'router', EMBED.path, EMBED.body);
    expect(await ask(driver, 'fetch', `/api${EMBED.path}`, EMBED.body)).toEqual(inPage);
    expect((await ask(driver, 'fetch', `/api${EMBED.path}`, EMBED.body, 'wrong')).status).toBe(401);
    const lines = await callIn(
      driver,
      async (body) => {
        const headers = { Authorization: `Bearer ${lightwell.token}`, Accept: 'application/x-ndjson' };
        const response = await fetch('/api/explain', { method: 'POST', headers, body });
        return (await response.text()).trim().split('\n');
      },
      JSON.stringify(EXPLAIN.body),
    );
    expectStream(lines);
  });

  it('answers programs over the bridge', async () => {
    const token = await callIn(driver, () => lightwell.token);
    const program = async (path: string, body: object, bearer: string, accept = '*/*') => {
      const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', Accept: accept };
      return fetch(new URL(`api${path}`, url), { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const embedded = await program(EMBED.path, EMBED.body, token);
    const inPage = await ask(driver, 'router', EMBED.path, EMBED.body);
    expect({ status: embedded.status, body: await embedded.json() }).toEqual(inPage);
    expect((await program(EMBED.path, EMBED.body, 'wrong')).status).toBe(401);
    const streamed = await program(EXPLAIN.path, EXPLAIN.body, token, 'application/x-ndjson');
    expectStream((await streamed.text()).trim().split('\n'));
  });

  it('asks nobody but its own server', async () => {
    const hosts = await callIn(driver, () => [
      ...new Set(performance.getEntriesByType('resource').map((entry) => new URL(entry.name).host)),
    ]);
    expect(hosts).toEqual([new URL(url).host]);
  });

  it('keeps prompt, settings and token over a reload', async () => {
    const prompt = 'Kept over a reload: ä, 漢字, 😀';
    await write(driver, 'prompt', prompt);
    const kept = () => callIn(driver, () => ({ token: lightwell.token, ...lightwell.settings.get() }));
    await callIn(driver, () => void lightwell.settings.set({ maxWaiting: 7 }));
    const before = await kept();
    await openPage(driver, url);
    await appears(driver, '[data-testid=prompt]');
    expect(await kept()).toEqual({ ...before, maxWaiting: 7 });
    const shown = () => document.querySelector<HTMLTextAreaElement>('[data-testid=prompt]')?.value;
    expect(await callIn(driver, shown)).toBe(prompt);
  });
});

/** The spans that an explanation of one text has scored. */
function piecesOf(prompt: string, { explanations }: ExplainResponse): string[] {
  const characters = [...prompt]; // spans count code points
  const item = explanations[0]?.items[0];
  if (item?.type !== 'text') throw new TypeError(`expected scores of a text, got ${item?.type}`);
  return item.scores.map(({ start, length }) => characters.slice(start, start + length).join(''));
}

/** Progress first, the response last. */
function expectStream(lines: readonly string[]): void {
  expect(lines.length).toBeGreaterThan(1);
  const kinds = lines.map((line) => Object.keys(JSON.parse(line)));
  expect(kinds.slice(0, -1).every(([kind]) => kind === 'progress')).toBe(true);
  expect(kinds.at(-1)).toEqual(['response']);
}
