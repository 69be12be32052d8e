import type { Browser, Page } from 'playwright';
import { openApp, type Rows } from '../app.ts';
import { tasksDuring } from './tasks-during.ts';

/** How many texts, and whether the embedder reads them or vectors are made up for them. */
interface MapCase {
  readonly texts: number;
  readonly vectors: 'embedder' | 'made up';
}

const CASES: readonly MapCase[] = [
  { texts: 1000, vectors: 'embedder' },
  { texts: 1000, vectors: 'made up' },
  { texts: 20_000, vectors: 'made up' },
];

/** Long enough for a map of 20,000 texts on a busy machine. */
const PATIENCE_MS = 600_000;

/** From the first text to the map, and how it moves: times, frames, longest tasks of the page's thread. */
export async function maps(browser: Browser, url: string): Promise<Rows> {
  const rows: Record<string, string | number>[] = [];
  for (const each of CASES) rows.push(await measured(browser, url, each));
  return rows;
}

async function measured(browser: Browser, url: string, { texts, vectors }: MapCase) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await openApp(page, url);
    if (vectors === 'made up') await page.evaluate(makeUpVectors);
    await page.evaluate(() => void (location.hash = '#/meaning'));
    await dropTexts(page, texts);
    const readMs = await timed(async () => {
      await page.getByTestId('read').click();
      await page.getByTestId('read-outcome').waitFor();
    });
    let [firstMapMs, wholeMapMs] = [0, 0];
    const [drawing = { cpuMs: 0 }] = await tasksDuring(page, async () => {
      const began = performance.now();
      await page.getByRole('radio', { name: 'Map' }).check({ force: true });
      await page.getByTestId('map').waitFor();
      firstMapMs = performance.now() - began;
      await page.locator('[data-testid=map][data-method=umap]').waitFor();
      await page.getByRole('progressbar').waitFor({ state: 'detached' });
      wholeMapMs = performance.now() - began;
    });
    let frames = { perSecond: 0, longestMs: 0 };
    const [dragging = { cpuMs: 0 }] = await tasksDuring(page, async () => (frames = await drag(page)));
    return {
      texts,
      vectors,
      readMs,
      firstMapMs,
      wholeMapMs,
      longestDrawingTaskMs: drawing.cpuMs,
      framesPerSecond: frames.perSecond,
      longestFrameMs: frames.longestMs,
      longestDraggingTaskMs: dragging.cpuMs,
    };
  } finally {
    await context.close();
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** Short texts of twelve subjects, as a file. */
function dropTexts(page: Page, count: number): Promise<boolean> {
  return page.getByRole('heading', { level: 1 }).evaluate((heading, wanted) => {
    const subjects = [
      'parcel',
      'refund',
      'kettle',
      'website',
      'phone call',
      'price',
      'garden',
      'school',
      'train',
      'bread',
      'music',
      'river',
    ];
    const ends = ['was late again', 'works very well', 'made me angry', 'could be better', 'is the best I know'];
    const lines = Array.from(
      { length: wanted },
      (_, at) => `The ${subjects[at % 12]} number ${at} ${ends[at % 5]}, I think.`,
    );
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([lines.join('\n')], 'texts.txt', { type: 'text/plain' }));
    return heading.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, count);
}

/** Runs in the page: the service answers with vectors around twelve directions, without a model. */
function makeUpVectors(): void {
  const { fetch: ask } = lightwell;
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
  const centres = Array.from({ length: 12 }, () => Array.from({ length: 128 }, random));
  const vectorOf = (at: number) => {
    const vector = (centres[at % 12] ?? []).map((value) => value + 0.8 * random());
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
  let given = 0;
  const fake: typeof ask = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(String(input), location.href), init);
    if (!request.url.endsWith('/batch_semantic_embed')) return ask(request);
    const { prompts } = await request.json();
    const embeddings = prompts.map(() => vectorOf(given++));
    return Response.json({ model_version: 'made up', embeddings, num_tokens_prompt_total: 0 });
  };
  Object.assign(lightwell, { fetch: fake });
}

/** Drags the map to and fro for three seconds, and counts the frames. */
async function drag(page: Page): Promise<{ perSecond: number; longestMs: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.getByTestId('map').boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  const counting = page.evaluate(countFrames, 3000);
  for (let step = 0; step < 150; step++) {
    const turn = (step / 25) * Math.PI;
    await page.mouse.move(x + width / 2 + 120 * Math.sin(turn), y + height / 2 + 80 * Math.cos(turn));
  }
  const counted = await counting;
  await page.mouse.up();
  return counted;
}

/** Runs in the page: frames in so many milliseconds, and the longest gap between two. */
async function countFrames(ms: number): Promise<{ perSecond: number; longestMs: number }> {
  const times: number[] = [];
  await new Promise<void>((resolve) => {
    const frame = (time: number) => {
      times.push(time);
      if (time - (times[0] ?? 0) < ms) requestAnimationFrame(frame);
      else resolve();
    };
    requestAnimationFrame(frame);
  });
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  return { perSecond: gaps.length / seconds, longestMs: Math.max(...gaps) };
}
