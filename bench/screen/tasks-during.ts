import type { CDPSession, Page } from 'playwright';

/** A task of the page's main thread. */
export interface Task {
  /** Processor time: a busy machine makes tasks wait, not work. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** An event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'];

/** All tasks of the page's main thread while `act` runs, longest first. */
export async function tasksDuring(page: Page, act: () => Promise<unknown>): Promise<Task[]> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES } });
  await act();
  await stopTracing(session);
  return tasksOf(events);
}

async function stopTracing(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
}

function tasksOf(events: readonly TraceEvent[]): Task[] {
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const main = new Set(threads.map(({ pid, tid }) => `${pid}:${tid}`));
  return events
    .filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid}:${tid}`))
    .map(({ dur = 0, tdur = dur }) => ({ cpuMs: tdur / 1000, wallMs: dur / 1000 }))
    .toSorted((a, b) => b.cpuMs - a.cpuMs);
}
