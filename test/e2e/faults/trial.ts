import type { Page } from 'playwright';
import { createDescribed, type Described, type OpenApi } from '../../conformance/rows/described.ts';
import { FAULTS, type Ended, type Fault, type Held, type Lasting } from './faults.ts';
import { createJudge, isProblem, lastOf, RIGHT, type Outcome } from './judge.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { pointsOf, type Choice } from './points.ts';

/** One fault, in one operation, in a service that has loaded nothing (`first`) or all that the operation needs. */
export interface Group {
  readonly fault: Fault;
  readonly operation: Operation;
  readonly state: 'first' | 'loaded';
  readonly lasting: Lasting;
}

/** What came of a group: of a fault at the first use of its seam, the second, and so on until none was left. */
export interface GroupResult {
  readonly group: string;
  readonly fault: Fault;
  /** Uses of the seam in a run that nothing fails in: the points that there are. */
  readonly uses: number;
  /** Of them visited. */
  readonly points: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** What must never be, each with its point. */
  readonly problems: readonly string[];
}

/** A request that takes longer hangs; on a busy machine nothing else may meet it. */
export const HANGS_MS = 150_000;

/** Growth of WebAssembly memory that is looked into. */
const GROWTH = 1.05;

/** Failures after which memory that has grown each time counts as leaking. */
const REPEATS = 4;

/** The trials of one page. */
export interface Trials {
  run(group: Group, choice: Choice): Promise<GroupResult>;
}

/** Lists of groups, one for each operation and state: what is learnt of those serves the whole list. */
export function allGroups(
  lastings: readonly Lasting[],
  operations: readonly Operation[],
  first: readonly Operation[],
): Group[][] {
  const of = (state: Group['state'], operation: Operation): Group[] =>
    FAULTS.flatMap((fault) => lastings.map((lasting) => ({ fault, operation, state, lasting })));
  return [...first.map((each) => of('first', each)), ...operations.map((each) => of('loaded', each))];
}

/** Trials in the harness page of a test build. */
export async function createTrials(page: Page, url: string): Promise<Trials> {
  const uncaught: string[] = [];
  page.on('pageerror', ({ message }) => uncaught.push(`uncaught: ${message}`));
  await page.goto(url);
  await open(page);
  const described = await descriptionOf(page);
  const references = new Map<Operation, Reference>();
  const firstSites = new Map<Operation, Sites>();
  let loaded: Operation | null = null;

  async function referenceOf(operation: Operation): Promise<Reference> {
    const known = references.get(operation);
    if (known) return known;
    await open(page);
    const made = await makeReference(page, operation, described);
    references.set(operation, made);
    loaded = operation;
    return made;
  }

  /** Of the uses in a run that nothing fails in. */
  async function sitesOf({ fault, operation, state }: Group): Promise<readonly number[]> {
    const reference = await referenceOf(operation);
    return (state === 'loaded' ? reference.sites : await firstSitesOf(operation))[FAULTS.indexOf(fault)] ?? [];
  }

  async function firstSitesOf(operation: Operation): Promise<Sites> {
    const known = firstSites.get(operation);
    if (known) return known;
    await arm(page, null, 0);
    await open(page);
    await ask(page, operation);
    const sites = await sitesOn(page);
    firstSites.set(operation, sites);
    loaded = operation;
    return sites;
  }

  async function prepare({ operation, state }: Group): Promise<void> {
    if (state === 'first' || loaded === operation) return;
    await open(page);
    await ask(page, operation);
    loaded = operation;
  }

  async function trial(group: Group, at: number): Promise<Trial> {
    const { judge, held } = await referenceOf(group.operation);
    await prepare(group);
    await arm(page, group, at);
    const isOpen = group.state === 'loaded' || (await opens(page));
    const outcome = isOpen ? judge(await ask(page, group.operation)) : '[the service does not start]';
    const hasFired = await page.evaluate(() => faults.hasFired());
    await arm(page, null, 0);
    if (!isOpen) await open(page);
    const next = judge(await ask(page, group.operation));
    const problems = [
      ...(isProblem(outcome) ? [outcome] : []),
      ...(next === RIGHT ? [] : [`the next request: ${next}`]),
      ...leaks(await heldBy(page), held),
      ...(await memoryLeaks(group, at, held)),
      ...uncaught.splice(0),
    ];
    if (group.state === 'first' || problems.length > 0) loaded = await closed(page);
    return { outcome, hasFired, problems };
  }

  /**
   * WebAssembly memory grows in steps and never shrinks, so that one failure more often takes a step and the next ones none:
   * a leak grows again with each.
   */
  async function memoryLeaks(group: Group, at: number, { megabytes }: Held): Promise<string[]> {
    const grown: number[] = [(await heldBy(page)).megabytes];
    while (grown.length < REPEATS && (grown.at(-1) ?? 0) > (grown.at(-2) ?? megabytes) * GROWTH) {
      await arm(page, group, at);
      await ask(page, group.operation);
      await arm(page, null, 0);
      await ask(page, group.operation);
      grown.push((await heldBy(page)).megabytes);
    }
    return grown.length < REPEATS ? [] : [`WebAssembly memory leaks: ${[megabytes, ...grown].join(', ')} MB`];
  }

  return {
    async run(group, choice) {
      const outcomes: Record<Outcome, number> = {};
      const problems: string[] = [];
      const sites = await sitesOf(group);
      let points = 0;
      for (const at of pointsOf(sites, group.lasting, choice)) {
        const { outcome, hasFired, problems: found } = await trial(group, at);
        problems.push(...found.map((problem) => `${nameOf(group)}, ${group.fault} at ${at}: ${problem}`));
        if (!hasFired) break;
        points++;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
      return { group: nameOf(group), fault: group.fault, uses: sites.length, points, outcomes, problems };
    },
  };
}

interface Trial {
  readonly outcome: Outcome;
  readonly hasFired: boolean;
  readonly problems: readonly string[];
}

/** What an untouched run leaves. */
interface Reference {
  readonly judge: (ended: Ended) => Outcome;
  readonly held: Held;
  /** Of a request to a service that has loaded all it needs. */
  readonly sites: Sites;
}

/** Where each seam is used, use by use, in the order of `FAULTS`. */
type Sites = readonly (readonly number[])[];

function nameOf({ operation, state, lasting }: Group): string {
  return [operation, ...(state === 'first' ? ['first'] : []), ...(lasting === 'once' ? [] : [lasting])].join(', ');
}

async function makeReference(page: Page, operation: Operation, described: Described): Promise<Reference> {
  const asked = OPERATIONS[operation];
  const ended = await ask(page, operation);
  const { status, value } = ended.kind === 'answered' ? lastOf(ended) : { status: 0, value: ended };
  if (status !== 200) throw new Error(`${operation}: expected an answer without a fault, got ${JSON.stringify(value)}`);
  const judge = createJudge(asked, value, described);
  await arm(page, null, 0);
  const again = judge(await ask(page, operation));
  if (again !== RIGHT) throw new Error(`${operation}: the same request was answered differently: ${again}`);
  return { judge, held: await heldBy(page), sites: await sitesOn(page) };
}

export async function descriptionOf(page: Page): Promise<Described> {
  const ended = await page.evaluate((hangsMs) => faults.describe(hangsMs), HANGS_MS);
  if (ended.kind !== 'answered') throw new Error(`the service does not describe itself: ${ended.kind}`);
  return createDescribed(JSON.parse(ended.text) as OpenApi); // what is wrong in it shows with the first answer
}

function open(page: Page): Promise<void> {
  return page.evaluate(() => faults.open());
}

/** false where making the service throws, which the next one must not. */
function opens(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    faults.open().then(
      () => true,
      () => false,
    ),
  );
}

async function closed(page: Page): Promise<null> {
  await page.evaluate(() => faults.close());
  return null;
}

function arm(page: Page, group: Group | null, at: number): Promise<void> {
  return page.evaluate(([fault, nth, lasting]) => faults.arm(fault, nth, lasting), [
    group?.fault ?? null,
    at,
    group?.lasting ?? 'once',
  ] as const);
}

export function sitesOn(page: Page): Promise<Sites> {
  return page.evaluate(() => faults.sites());
}

function ask(page: Page, operation: Operation): Promise<Ended> {
  return page.evaluate(([asked, hangsMs]) => faults.ask(asked, hangsMs), [OPERATIONS[operation], HANGS_MS] as const);
}

export function heldBy(page: Page): Promise<Held> {
  return page.evaluate(() => faults.held());
}

/** Things that are more than after an untouched run. */
export function leaks(now: Held, untouched: Held): string[] {
  const names = ['workers', 'sessions', 'sockets', 'locks'] as const;
  return names
    .filter((name) => now[name] > untouched[name])
    .map((name) => `${name} leak: ${now[name]}, ${untouched[name]} after an untouched run`);
}
