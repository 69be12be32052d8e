import type { BrowserContext, Page } from 'playwright';
import { makeReturning } from '../../support/returning.ts';
import type { Fault, Lasting, Ended, ArmedFirst } from './faults.ts';
import { createJudge, isProblem, lastOf, RIGHT, type Outcome } from './judge.ts';
import { OPERATIONS } from './operations.ts';
import { descriptionOf, HANGS_MS, heldBy, leaks, type GroupResult } from './trial.ts';

/** How a request reaches the app: one that is being opened, or an open one by a way from outside. */
export const ROUTES = ['opening the page', 'the bridge', 'the service worker'] as const;
export type Route = (typeof ROUTES)[number];

/** What can fail on each of them, beside what fails in any service. */
export const ROUTE_FAULTS: Readonly<Record<Route, readonly Fault[]>> = {
  'opening the page': [
    ...(['storage: read throws', 'storage: write throws', 'worker start: throws'] as const),
    ...(['worker start: script is missing', 'message to worker: throws', 'message from worker: throws'] as const),
    ...(['socket: does not open', 'socket: send throws', 'socket: lost at a frame'] as const),
  ],
  'the bridge': ['socket: send throws', 'socket: lost at a frame', 'message to worker: throws'],
  'the service worker': ['port to service worker: send throws', 'message to worker: throws'],
};

/** A fault on a way to the app. */
export interface RouteGroup {
  readonly route: Route;
  readonly fault: Fault;
  readonly lasting: Lasting;
}

const asked = OPERATIONS.embed;

/** A tab that lost its socket comes back by itself; until then programs are told to send their request again. */
const COMES_BACK_TRIES = 60;
const TRY_MS = 500;

/**
 * Makes each use of a seam of the built app fail, in a page of its own each time.
 *
 * @param context  of a browser, with its own storage
 * @param url  of a test build, served with its bridge
 */
export async function runRoute(
  context: BrowserContext,
  url: string,
  { route, fault, lasting }: RouteGroup,
  most = Infinity,
): Promise<GroupResult> {
  const group = `${route}${lasting === 'once' ? '' : `, ${lasting}`}`;
  await makeReturning(context);
  const { judge, held } = await untouched(context, url);
  const outcomes: Record<Outcome, number> = {};
  const problems: string[] = [];
  let points = 0;
  for (let at = 1; at <= most; at++) {
    const page = await context.newPage();
    const uncaught: string[] = [];
    page.on('pageerror', ({ message }) => uncaught.push(`uncaught: ${message}`));
    const armed: ArmedFirst = { fault, at, lasting };
    const isOpen = await opens(page, url, route === 'opening the page' ? armed : null);
    if (route !== 'opening the page')
      await page.evaluate(([name, nth, how]) => faults.arm(name, nth, how), [fault, at, lasting] as const);
    const outcome = isOpen ? judge(await askBy(page, url, route)) : '[the page does not start]';
    const hasFired = await page.evaluate(() => faults.hasFired());
    await page.evaluate(() => faults.arm(null, 0, 'once'));
    const next = isOpen ? judge(await askUntilBack(page, url, route)) : outcome;
    const found = [
      ...(isProblem(outcome) ? [outcome] : []),
      ...(next === RIGHT ? [] : [`the next request: ${next}`]),
      ...(isOpen ? leaks(await heldBy(page), held) : []),
      ...uncaught,
    ];
    problems.push(...found.map((problem) => `${group}, ${fault} at ${at}: ${problem}`));
    await page.close();
    if (!hasFired) break;
    points++;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return { group, fault, uses: points, points, outcomes, problems };
}

/** What an open page answers and holds without a fault. */
async function untouched(context: BrowserContext, url: string) {
  const page = await context.newPage();
  if (!(await opens(page, url, null))) throw new Error('the page does not start without a fault');
  const ended = await askBy(page, url, 'opening the page');
  if (ended.kind !== 'answered') throw new Error(`expected an answer without a fault: ${ended.kind}`);
  const judge = createJudge(asked, lastOf(ended).value, await descriptionOf(page));
  await askBy(page, url, 'opening the page'); // the second run takes a little more memory
  const held = await heldBy(page);
  await page.close();
  return { judge, held };
}

/** @returns whether the page shows itself, with its service worker and its bridge */
async function opens(page: Page, url: string, armed: ArmedFirst | null): Promise<boolean> {
  if (armed) await page.addInitScript((first) => void (globalThis.armedFirst = first), armed);
  await page.goto(`${url}?backend=wasm`);
  const isThere = () => 'lightwell' in globalThis && document.querySelector('textarea') !== null;
  const hasStarted = await page.waitForFunction(isThere, null, { timeout: HANGS_MS }).then(
    () => true,
    () => false,
  );
  if (!hasStarted || armed) return hasStarted;
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await askUntilBack(page, url, 'the bridge');
  return true;
}

async function askBy(page: Page, url: string, route: Route): Promise<Ended> {
  if (route === 'opening the page')
    return page.evaluate(([what, ms]) => faults.ask(what, ms), [asked, HANGS_MS] as const);
  if (route === 'the service worker')
    return page.evaluate(([what, ms]) => faults.askServiceWorker(what, ms), [asked, HANGS_MS] as const);
  const token = await page.evaluate(() => lightwell.token);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: asked.accept };
  const signal = AbortSignal.timeout(HANGS_MS);
  try {
    const response = await fetch(new URL(`/api${asked.path}`, url), {
      method: 'POST',
      headers,
      body: asked.body,
      signal,
    });
    const text = await response.text();
    return { kind: 'answered', status: response.status, headers: Object.fromEntries(response.headers), text };
  } catch (error) {
    return signal.aborted ? { kind: 'hung' } : { kind: 'rejected', reason: String(error) };
  }
}

/** As a client does that is told to send its request again. */
async function askUntilBack(page: Page, url: string, route: Route): Promise<Ended> {
  for (let tries = 1; ; tries++) {
    const ended = await askBy(page, url, route);
    const isAway = ended.kind === 'answered' && ended.status === 503 && ended.text.includes('NO_TAB');
    if (!isAway || tries === COMES_BACK_TRIES) return ended;
    await new Promise((resolve) => setTimeout(resolve, TRY_MS));
  }
}
