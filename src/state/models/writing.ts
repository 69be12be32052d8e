import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer, CallOptions, Client } from '../../client/client.ts';
import type { FinishReason } from '../../contract/likelihood/complete.ts';
import type { Progress } from '../../contract/progress.ts';
import { ranAt } from '../settings/engine-in-use.ts';
import { createLiveStore, type LiveStore } from '../page/live-store.ts';
import type { EngineReport } from './engine-store.ts';
import type { ModelHome } from './own/source.ts';

/** What texts are written with. */
export interface WritingSource {
  readonly client: Pick<Client, 'complete'>;
  readonly home: Pick<ModelHome, 'deviceOf'>;
}

/** A text to be continued. */
export interface Beginning {
  readonly prompt: string;
}

/** What a model has written behind it. */
export interface Continuation {
  readonly text: string;
  readonly tokens: number;
  readonly end: FinishReason;
  /** Address of the engine that has computed it; null: this device has. */
  readonly place: string | null;
  /** What of this device has, with the figures by which that was chosen; null where an engine has, or where it cannot be told. */
  readonly device: EngineReport | null;
}

/** A text as far as it is written, and what stands before it. */
export interface Draft extends Beginning {
  readonly text: string;
}

/** A model that is tried: what it is asked, and what it writes. */
export interface Writing {
  readonly store: LiveStore<Beginning, Continuation>;
  /** As far as it has come, of the request that runs or ran last. */
  readonly draft: StoreApi<Draft>;
}

/** A text is tried, not written: so many tokens of any model come within a minute or so. */
export const MOST_WRITTEN = 60;

/** A text that models of any kind continue. */
const FIRST: Beginning = { prompt: 'Once upon a time' };

/** A model with its first text, unasked; it always writes the likeliest token, so that the same text comes again. */
export function createWriting({ client, home }: WritingSource, model: string): Writing {
  const draft = createStore<Draft>(() => ({ prompt: '', text: '' }));
  const ask = async ({ prompt }: Beginning, call: CallOptions): Promise<Answer<Continuation>> => {
    draft.setState({ prompt, text: '' });
    const onProgress = (progress: Progress) => {
      const more = (progress.written ?? []).map(({ completion }) => completion).join('');
      if (more !== '' && !call.signal?.aborted) draft.setState(({ text }) => ({ text: text + more }));
      call.onProgress?.(progress);
    };
    const answer = await client.complete({ model, prompt, maximum_tokens: MOST_WRITTEN }, { ...call, onProgress });
    if (!answer.ok) return answer;
    const found = continuationIn(answer.value);
    // A text that is written stands, also where its model has since gone.
    const device = found.place === null ? await home.deviceOf(model).catch(() => null) : null;
    return { ok: true, value: { ...found, device } };
  };
  return { store: createLiveStore(FIRST, ask), draft };
}

type Completed = Extract<Awaited<ReturnType<WritingSource['client']['complete']>>, { readonly ok: true }>['value'];

function continuationIn({
  completions,
  num_tokens_generated: tokens,
  model_version,
}: Completed): Omit<Continuation, 'device'> {
  const [first] = completions;
  const end = first?.finish_reason ?? 'end_of_text';
  return { text: first?.completion ?? '', tokens, end, place: ranAt(model_version) };
}

const known = new WeakMap<WritingSource['client'], Map<string, Writing>>();

/** The same for as long as the app is open: what was typed and written stays where another model is looked at. */
export function writingOf(source: WritingSource, model: string): Writing {
  const ofClient = known.get(source.client) ?? new Map<string, Writing>();
  known.set(source.client, ofClient);
  const writing = ofClient.get(model) ?? createWriting(source, model);
  ofClient.set(model, writing);
  return writing;
}
