import type { BackendKind } from '../../src/protocol/model-job.ts';
import type { Victim } from './ways.ts';

/** A request that is sent while a worker dies. */
export interface Sent {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  /** The worker that dies. */
  readonly victim: Victim;
}

const TEXT =
  'The lighthouse at Port Ellery was built by Ottilie Brandt, who counted the boats before the storm came in.';
const QUERY = 'Who built the lighthouse?';
const model = 'lightwell-base';
const victim = 'inference';

/** One request per operation that runs a model. */
const OPERATIONS: readonly Omit<Sent, 'name'>[] = [
  { path: '/embed', body: { model, prompt: TEXT, layers: [-1], pooling: ['mean'] }, victim },
  {
    path: '/explain',
    body: { model, prompt: TEXT, target: ' and went home', prompt_granularity: { type: 'word' } },
    victim,
  },
  { path: '/evaluate', body: { model, prompt: TEXT, completion_expected: ' and went home' }, victim },
  { path: '/semantic_embed', body: { prompt: TEXT, representation: 'symmetric', compress_to_size: 128 }, victim },
  { path: '/qa', body: { query: QUERY, documents: [{ text: TEXT }] }, victim },
];

/** What a software GPU computes in reasonable time. */
const GPU_OPERATIONS: readonly Omit<Sent, 'name'>[] = [
  { path: '/embed', body: { model, prompt: 'hello', layers: [-1], pooling: ['mean'] }, victim },
  {
    path: '/explain',
    body: { model, prompt: 'An apple a day', target: ' keeps', prompt_granularity: { type: 'word' } },
    victim,
  },
];

/** @param docx  base64 of a file that takes a while to read */
export function operationsOn(backend: BackendKind, victims: readonly Victim[], docx: string): readonly Sent[] {
  const body = { query: QUERY, documents: [{ docx }], max_answers: 1 };
  const onWasm = [...OPERATIONS, { path: '/qa', body, victim: 'documents' as const }];
  return (backend === 'wasm' ? onWasm : GPU_OPERATIONS)
    .filter((sent) => victims.includes(sent.victim))
    .map((sent) => ({ ...sent, name: sent.victim === 'documents' ? `${sent.path} with a file` : sent.path }));
}
