import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright';
import type { BackendKind } from '../../src/protocol/model-job.ts';
import type { Rows } from '../app.ts';
import { longDocx } from '../../test/support/files/long-docx.ts';
import { WAYS, type Kill, type Victim, type Way } from './ways.ts';

/** WebGPU without a GPU. */
const GPU_SWITCHES = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

/** A worker that lives for a few passes is not worth optimising its WebAssembly, which takes half of a start. */
const SHORT_LIVED = '--js-flags=--wasm-tiering-budget=500000000';

/** See `kills`. */
export interface KillOptions {
  readonly count: number;
  readonly ways?: readonly Way[];
  /** Left out: both. */
  readonly victims?: readonly Victim[];
  /** Silence after which a stuck worker is replaced; other workers have a minute, as in the product. */
  readonly silenceMs?: number;
  /** File of the kills so far, one JSON object a line; an interrupted run continues after them. */
  readonly log?: string;
}

/**
 * What `--count`, `--ways`, `--victim`, `--silence` (s) and `--log` say.
 *
 * @param optionOf  the value after a name on the command line
 */
export function optionsOf(optionOf: (name: string) => string | undefined, usualCount: number): KillOptions {
  const [count, ways, victim, silence, log] = ['--count', '--ways', '--victim', '--silence', '--log'].map(optionOf);
  return {
    count: Number(count ?? usualCount),
    ...(ways !== undefined && { ways: ways.split(',') as Way[] }),
    ...(victim !== undefined && { victims: [victim as Victim] }),
    ...(silence !== undefined && { silenceMs: Number(silence) * 1_000 }),
    ...(log !== undefined && { log }),
  };
}

function keptIn(log: string): Kill[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return lines.map((line): Kill => JSON.parse(line));
}

/** A kill that is not over by then counts as a hang. */
const HANG_MS = 300_000;

/** Pages of the file that the documents worker reads. */
const PAGES = 2;

/** So short that a thousand kills end within minutes; on a busy machine a worker takes longer to start. */
const SILENCE_MS = 5_000;
const USUAL_SILENCE_MS = 60_000;

/** Kills until the memory at the start is read. */
const WARM = 20;

/** Kills between two lines of progress. */
const TOLD = 25;

/**
 * Ways that are tried in one page after the other; pages go side by side. A stuck worker does nothing until it is noticed, so
 * that its page leaves the processor to the other.
 */
const LANES: readonly (readonly Way[])[] = [['error', 'terminate', 'close', 'memory'], ['stuck']];

/**
 * Kills as many workers as asked for, in equal parts of each way, under each operation in turn and at different moments of
 * it. One row for each way, one for each page.
 *
 * @param launch  starts a browser with more switches
 * @throws {Error} when a request hangs
 */
export async function kills(
  launch: (switches: readonly string[]) => Promise<Browser>,
  url: string,
  { count, ways: allWays = WAYS, victims = ['inference', 'documents'], silenceMs = SILENCE_MS, log }: KillOptions,
): Promise<Rows> {
  // Files are read without a GPU.
  const ways = allWays.filter((way) => way !== 'device' || victims.includes('inference'));
  const all: Kill[] = log === undefined ? [] : keptIn(log);
  const keep = (kill: Kill) => {
    all.push(kill);
    if (log !== undefined) appendFileSync(log, `${JSON.stringify(kill)}\n`);
  };
  const laneOf = async (browser: Browser, backend: BackendKind, lane: readonly Way[]) => {
    const chosen = lane.filter((way) => ways.includes(way));
    if (chosen.length === 0) return [];
    const from = all.filter(({ way }) => chosen.includes(way)).length;
    const share = Math.round((count * chosen.length) / ways.length);
    const context = await browser.newContext();
    const limit = chosen.includes('stuck') ? silenceMs : USUAL_SILENCE_MS;
    const plan = { backend, victims, silenceMs: limit, ways: chosen, from, count: share, keep };
    return [await killOn(context, url, plan)];
  };
  const browser = await launch([SHORT_LIVED]);
  const onWasm = await Promise.all(LANES.map((lane) => laneOf(browser, 'wasm', lane)));
  await browser.close();
  const withGpu = await launch([SHORT_LIVED, ...GPU_SWITCHES]);
  const onGpu = await laneOf(withGpu, 'webgpu', ['device']);
  await withGpu.close();
  return [...ways.map((way) => rowOf(way, all)), ...onWasm.flat(), ...onGpu];
}

interface Plan {
  readonly backend: BackendKind;
  readonly victims: readonly Victim[];
  readonly silenceMs: number;
  readonly ways: readonly Way[];
  /** Kills of an earlier run. */
  readonly from: number;
  readonly count: number;
  readonly keep: (kill: Kill) => void;
}

/** @returns the memory of the page as a row */
async function killOn(context: BrowserContext, url: string, plan: Plan) {
  const { backend, victims, silenceMs, ways, from, count, keep } = plan;
  const page = await openPage(context, url);
  const docx = longDocx(PAGES, { page: 1, text: 'Ottilie Brandt built the lighthouse.' });
  const operations: number = await page.evaluate((given) => Reflect.get(globalThis, 'benches').learnOperations(given), {
    backend,
    victims,
    silenceMs,
    docx,
  });
  let before = await heapOf(page);
  const done: Kill[] = [];
  for (let index = from; index < count; index++) {
    const way = ways[index % ways.length] ?? 'error';
    const operation = Math.floor(index / ways.length) % operations;
    // The golden ratio spreads the moments evenly, whatever the number of kills.
    const when = ((index * 0.618034) % 1) * 0.9;
    const kill = await withinTime(page, [way, operation, when]);
    keep(kill);
    done.push(kill);
    if (done.length === WARM) before = await heapOf(page); // all code has run by now
    if (done.length % TOLD === 0) tell(done, count - from);
  }
  const after = await heapOf(page);
  await context.close();
  return { way: `page of ${ways.join(', ')}`, heapMiBBefore: before / 2 ** 20, heapMiBAfter: after / 2 ** 20 };
}

/** Opens the page that holds the measures, once its script has run. */
export async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}bench/index.html`);
  await page.waitForFunction('"benches" in globalThis');
  return page;
}

async function withinTime(page: Page, asked: readonly [Way, number, number]): Promise<Kill> {
  const hang = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`${asked.join(' ')}: no answer within ${HANG_MS / 1000} s`)), HANG_MS).unref();
  });
  const kill: Promise<Kill> = page.evaluate((given) => Reflect.get(globalThis, 'benches').killDuring(...given), asked);
  return Promise.race([kill, hang]);
}

function tell(done: readonly Kill[], count: number): void {
  const wrong = done.filter((kill) => !isRightOrDocumented(kill));
  console.error(`${new Date().toISOString()} ${done.length} of ${count} kills, ${wrong.length} wrong`);
  for (const kill of wrong.slice(-3)) console.error(JSON.stringify(kill));
}

/** A 503 says when to try again. */
function isRightOrDocumented({ isRight, isNextRight, status, code, hasRetryAfter }: Kill): boolean {
  return (isRight && isNextRight) || (status === 503 && code === 'DEVICE_LOST' && hasRetryAfter);
}

function rowOf(way: Way, all: readonly Kill[]): Record<string, string | number> {
  const ofWay = all.filter((kill) => kill.way === way);
  const detected = ofWay.flatMap(({ detectedMs }) => detectedMs ?? []).toSorted((a, b) => a - b);
  const total = ofWay.map(({ totalMs }) => totalMs).toSorted((a, b) => a - b);
  return {
    way,
    kills: ofWay.length,
    right: ofWay.filter(({ isRight }) => isRight).length,
    documented503: ofWay.filter((kill) => !kill.isRight && isRightOrDocumented(kill)).length,
    wrong: ofWay.filter((kill) => !isRightOrDocumented(kill)).length,
    detections: detected.length,
    detectedP50Ms: quantile(detected, 0.5),
    detectedP99Ms: quantile(detected, 0.99),
    answeredP50Ms: quantile(total, 0.5),
  };
}

/** @param sorted  ascending; NaN of none */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** Bytes of JavaScript in the page, after a garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
