import type { Context, DataFile, Row } from './evaluation.ts';
import { trustScriptsIn } from '../src/protocol/page/script-urls.ts';
import { EVALUATIONS } from './registry.ts';
import { digestOf } from './models/embedded-model.ts';
import { createServiceClient } from './service.ts';

/** Where the driver puts the files of `needs`, below the page's origin. */
const DATA = '/evaluation-data';

/** What the driver may give a run. */
export interface RunOptions {
  readonly sample?: number;
  /** What was measured before, by key. */
  readonly records?: Readonly<Record<string, unknown>>;
}

/** Put into the page by the driver; each call crosses from the browser to it. */
type ReportProgress = (what: string, done: number, total: number) => void;

/** Put into the page by the driver, which keeps the line in a file. */
type KeepRecord = (line: { evaluation: string; key: string; value: unknown }) => Promise<void>;

const MIN_MS_BETWEEN_REPORTS = 200;

/** What the driver must know before it runs one. */
const list = () =>
  EVALUATIONS.map(({ name, title, model, network, needs, onlyWhenNamed = false, recorded = false }) => ({
    name,
    title,
    model,
    needs,
    onlyWhenNamed,
    recorded,
    network: network ?? digestOf(model),
  }));

async function run(name: string, options: RunOptions): Promise<readonly Row[]> {
  const evaluation = EVALUATIONS.find((each) => each.name === name);
  if (!evaluation) throw new RangeError(`expected the name of an evaluation, got "${name}"`);
  return evaluation.run(createContext(name, options));
}

function createContext(evaluation: string, { sample, records = {} }: RunOptions): Context {
  const bytes = async (file: DataFile) => (await fetchFile(file)).arrayBuffer();
  return {
    client: createServiceClient(),
    sample,
    bytes,
    lines: async <Line>(file: DataFile) => {
      const text = await (await fetchFile(file)).text();
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Line]));
    },
    progress: createProgress(),
    async remembered<Value>(key: string, measure: () => Promise<Value>) {
      // Written by this very evaluation, under this key.
      if (key in records) return records[key] as Value;
      const value = await measure();
      await (Reflect.get(globalThis, 'keepRecord') as KeepRecord)({ evaluation, key, value });
      return value;
    },
  };
}

function createProgress(): ReportProgress {
  const report = Reflect.get(globalThis, 'reportProgress') as ReportProgress;
  let last = -Infinity;
  return (what, done, total) => {
    if (done < total && performance.now() - last < MIN_MS_BETWEEN_REPORTS) return;
    last = performance.now();
    report(what, done, total);
  };
}

async function fetchFile({ from, path }: DataFile): Promise<Response> {
  const url = `${DATA}/${from}/${path.replace(/\.xz$/, '')}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`expected the file ${url}, got HTTP ${response.status}`);
  return response;
}

trustScriptsIn(new URL('/', location.href).href);

/** What the script that drives this page calls. */
const evaluations = { list, run };
export type Evaluations = typeof evaluations;
Object.assign(globalThis, { evaluations });
