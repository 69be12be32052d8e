import type { Tensor } from '@huggingface/transformers';
import { type KvCache, type Network, type NetworkAnswer, type NetworkRun, tokensOf } from '../../network.ts';
import { refuseIfKept } from '../../refusal.ts';
import type { TakeStep, WriterState } from './writer-steps.ts';

/** What an unchanged network is put together from. */
export interface ExportedParts extends Pick<Network, 'shape' | 'backend'> {
  readonly step: TakeStep;
  /** Why the graph could not be rewritten. */
  readonly keptBecause: string;
  release(): Promise<void>;
}

/**
 * A network that transformers.js runs as it was exported: it says how likely each next token is, and nothing else. A state goes on
 * from its end only, because convolutions and recurrences cannot be cut.
 */
export function exportedNetwork({ step, keptBecause, shape, backend, release }: ExportedParts): Network {
  const states = new WeakMap<KvCache, WriterState>();
  const onDevice = countedTensors();
  const before = ({ cached }: NetworkRun): WriterState | undefined => {
    if (!cached) return undefined;
    const state = states.get(cached.kvCache);
    if (!state || cached.tokens !== cached.kvCache.tokens)
      throw new RangeError('expected a whole state of this network that was not released');
    return state;
  };
  const keep = (state: WriterState, run: NetworkRun): KvCache => {
    const kvCache: KvCache = {
      ...{ batch: 1, tokens: (run.cached?.tokens ?? 0) + tokensOf(run) },
      release: () => {
        if (states.delete(kvCache)) onDevice.drop(state);
      },
    };
    states.set(kvCache, state);
    onDevice.hold(state);
    return kvCache;
  };
  const refuse = (wanted: string) => refuseIfKept({ keptBecause }, wanted);
  return {
    shape,
    backend,
    async run(run): Promise<NetworkAnswer> {
      if (run.perturbation) refuse('attention controls');
      if (run.pooling || run.maxima || run.states) refuse('hidden states');
      if (run.targets || (run.rows ?? 1) > 1) refuse('ratings of given texts');
      if (run.batch !== 1 || run.lengths)
        throw new RangeError('a network that runs unchanged takes one text at a time');
      const { logits, state } = await step(run.ids, before(run));
      const values = Float32Array.from(logits.data as ArrayLike<number>);
      if (!run.keepKvCache) onDevice.discard(state);
      return {
        ...(run.logits && { logits: values.slice(values.length - (logits.dims[2] ?? 0)) }),
        ...(run.keepKvCache && { kvCache: keep(state, run) }),
      };
    },
    async embeddings() {
      refuse('contextual control');
      return new Float32Array(0);
    },
    release,
  };
}

/** Tensors that lie on a GPU are freed with the last state that holds them: what an encoder gave belongs to all states behind it. */
function countedTensors() {
  const holders = new Map<Tensor, number>();
  const own = ({ tensors }: WriterState) => Object.values(tensors).filter(({ location }) => location === 'gpu-buffer');
  return {
    hold(state: WriterState): void {
      for (const tensor of own(state)) holders.set(tensor, (holders.get(tensor) ?? 0) + 1);
    },
    drop(state: WriterState): void {
      for (const tensor of own(state)) {
        const left = (holders.get(tensor) ?? 1) - 1;
        if (left > 0) holders.set(tensor, left);
        else {
          holders.delete(tensor);
          tensor.dispose();
        }
      }
    },
    /** Of a state that nobody holds: what belongs to no other goes. */
    discard(state: WriterState): void {
      for (const tensor of own(state)) if (!holders.has(tensor)) tensor.dispose();
    },
  };
}
