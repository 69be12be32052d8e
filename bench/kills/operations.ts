import type { BackendKind } from '../../src/protocol/model-job.ts';

/** A request that is sent while a worker dies. */
export interface Sent {
  readonly path: string;
  readonly body: object;
  /** The worker that dies. */
  readonly victim: Victim;
}

export type Victim = 'inference' | 'documents';

const TEXT =
  'The lighthouse at Port Ellery was built by Ottilie Brandt, who counted the boats before the storm came in.';
const model = 'lightwell-base';

/** One request per operation that runs a model. */
const OPERATIONS: readonly Omit<Sent, 'victim'>[] = [
  { path: '/embed', body: { model, prompt: TEXT, layers: [-1], pooling: ['mean'] } },
  { path: '/explain', body: { model, prompt: TEXT, target: ' and went home', prompt_granularity: { type: 'token' } } },
  { path: '/evaluate', body: { model, prompt: TEXT, completion_expected: ' and went home' } },
  { path: '/semantic_embed', body: { prompt: TEXT, representation: 'symmetric', compress_to_size: 128 } },
  { path: '/qa', body: { query: 'Who built the lighthouse?', documents: [{ text: TEXT }] } },
];

/** What a software GPU computes in reasonable time. */
const GPU_OPERATIONS: readonly Omit<Sent, 'victim'>[] = [
  { path: '/embed', body: { model, prompt: 'hello', layers: [-1], pooling: ['mean'] } },
  {
    path: '/explain',
    body: { model, prompt: 'An apple a day', target: ' keeps', prompt_granularity: { type: 'word' } },
  },
];

/** @param docx  base64 of a file that takes a while to read */
export function operationsOn(backend: BackendKind, victim: Victim, docx: string): readonly Sent[] {
  if (victim === 'documents')
    return [
      { path: '/qa', body: { query: 'Who built the lighthouse?', documents: [{ docx }], max_answers: 1 }, victim },
    ];
  return (backend === 'wasm' ? OPERATIONS : GPU_OPERATIONS).map((sent) => ({ ...sent, victim }));
}
