import type { Browser } from 'playwright';
import { explain } from '../../test/e2e/calls.ts';
import { inFrontOfWorkers } from '../../test/e2e/visitor.ts';
import { openApp, type Rows } from '../app.ts';

/** What a browser without JavaScript Promise Integration lacks. */
const WITHOUT = 'delete WebAssembly.Suspending;';

const WORDS = 160;
/** The browser has optimized the code of the last. */
const EXPLANATIONS = 5;

/**
 * Both builds of ONNX Runtime in turn, each in a browser of its own: until the page's model has answered, then explanations of
 * one prompt. Times are in seconds; those of the processor are of all of the browser's processes.
 */
export async function builds(launch: () => Promise<Browser>, url: string, rounds: number): Promise<Rows> {
  const rows: Record<string, string | number>[] = [];
  for (let round = 1; round <= rounds; round++)
    for (const build of ['jspi', 'asyncify'] as const)
      rows.push({ round, build, ...(await started(await launch(), url, build)) });
  return rows;
}

async function started(browser: Browser, url: string, build: 'jspi' | 'asyncify'): Promise<Record<string, number>> {
  try {
    const context = await browser.newContext();
    if (build === 'asyncify') await inFrontOfWorkers(context, WITHOUT);
    const page = await context.newPage();
    const answers = await timed(() => openApp(page, url));
    const cpu = await processorSeconds(browser);
    const explanations: number[] = [];
    for (let at = 0; at < EXPLANATIONS; at++)
      explanations.push(await timed(() => explain(page, 'word '.repeat(WORDS), ' and more words')));
    const [first = NaN, second = NaN] = explanations;
    return { answers, cpu, first, second, last: explanations.at(-1) ?? NaN };
  } finally {
    await browser.close();
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return (performance.now() - startedMs) / 1000;
}

/** @source Chrome DevTools Protocol, SystemInfo.getProcessInfo */
async function processorSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
