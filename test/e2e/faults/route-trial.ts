import type { BrowserContext, Page } from 'playwright';
import { makeReturning } from '../../support/returning.ts';
import { FAULTS, type ArmedFirst, type Ended, type Fault, type Lasting } from './faults.ts';
import { createJudge, isProblem, lastOf, RIGHT, type Outcome } from './judge.ts';
import { OPERATIONS } from './operations.ts';
import { pointsOf, type Choice } from './points.ts';
import { descriptionOf, HANGS_MS, heldBy, leaks, sitesOn, type GroupResult } from './trial.ts';

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

/** The trials of one browser context. */
export interface Routes {
  run(group: RouteGroup, choice: Choice): Promise<GroupResult>;
}

/**
 * Makes uses of a seam of the built app fail: while a page opens, in a page of its own each time; on the ways to an open
 * one, in the same page for as long as it is sound.
 *
 * @param context  of a browser, with its own storage
 * @param url  of a test build, served with its bridge
 */
export async function createRoutes(context: BrowserContext, url: string): Promise<Routes> {
  await makeReturning(context);
  const { judge, held, sites } = await untouched(context, url);
  const uncaught: string[] = [];
  let shared: Page | null = null;

  async function openNew(armed: ArmedFirst | null): Promise<{ page: Page; isOpen: boolean }> {
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => uncaught.push(`uncaught: ${message}`));
    return { page, isOpen: await opens(page, url, armed) };
  }

  async function armedPage({ route, fault, lasting }: RouteGroup, at: number) {
    const armed: ArmedFirst = { fault, at, lasting };
    if (route === 'opening the page') return openNew(armed);
    shared ??= (await openNew(null)).page;
    await shared.evaluate((given) => faults.arm(given.fault, given.at, given.lasting), armed);
    return { page: shared, isOpen: true };
  }

  async function trial(group: RouteGroup, at: number) {
    const { route } = group;
    const { page, isOpen } = await armedPage(group, at);
    const outcome = isOpen ? judge(await askBy(page, url, route)) : '[the page does not start]';
    const hasFired = await page.evaluate(() => faults.hasFired());
    await page.evaluate(() => faults.arm(null, 0, 'once'));
    const next = isOpen ? judge(await askUntilBack(page, url, route)) : outcome;
    const problems = [
      ...(isProblem(outcome) ? [outcome] : []),
      ...(next === RIGHT ? [] : [`the next request: ${next}`]),
      ...(isOpen ? leaks(await heldBy(page), held) : []),
      ...uncaught.splice(0),
    ];
    if (page !== shared || problems.length > 0) await page.close();
    if (page === shared && problems.length > 0) shared = null;
    return { outcome, hasFired, problems };
  }

  return {
    async run(group, choice) {
      const { route, fault, lasting } = group;
      if (route === 'opening the page') shared = await closed(shared);
      const name = `${route}${lasting === 'once' ? '' : `, ${lasting}`}`;
      const uses = sites[route][FAULTS.indexOf(fault)] ?? [];
      const outcomes: Record<Outcome, number> = {};
      const problems: string[] = [];
      let points = 0;
      for (const at of pointsOf(uses, lasting, choice)) {
        const { outcome, hasFired, problems: found } = await trial(group, at);
        problems.push(...found.map((problem) => `${name}, ${fault} at ${at}: ${problem}`));
        if (!hasFired) break;
        points++;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
      return { group: name, fault, uses: uses.length, points, outcomes, problems };
    },
  };
}

async function closed(page: Page | null): Promise<null> {
  await page?.close();
  return null;
}

/** What an open page answers and holds without a fault, and where it uses its seams on each way. */
async function untouched(context: BrowserContext, url: string) {
  const page = await context.newPage();
  if (!(await opens(page, url, null))) throw new Error('the page does not start without a fault');
  const ended = await askBy(page, url, 'opening the page');
  if (ended.kind !== 'answered') throw new Error(`expected an answer without a fault: ${ended.kind}`);
  const opening = await sitesOn(page);
  const judge = createJudge(asked, lastOf(ended).value, await descriptionOf(page));
  const held = await heldBy(page);
  const sitesBy = async (route: Route) => {
    await page.evaluate(() => faults.arm(null, 0, 'once'));
    await askBy(page, url, route);
    return sitesOn(page);
  };
  const sites = {
    'opening the page': opening,
    'the bridge': await sitesBy('the bridge'),
    'the service worker': await sitesBy('the service worker'),
  };
  await page.close();
  return { judge, held, sites };
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
