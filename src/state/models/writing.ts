import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer, CallOptions, Client } from '../../client/client.ts';
import type { FinishReason } from '../../contract/likelihood/complete.ts';
import type { Progress } from '../../contract/progress.ts';
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
  /** What has computed it, with the figures by which that was chosen. */
  readonly device: EngineReport;
}

/** A model that is tried: what it is asked, and what it writes. */
export interface Writing {
  readonly store: LiveStore<Beginning, Continuation>;
  /** As far as it has come, of the request that runs or ran last. */
  readonly draft: StoreApi<{ readonly text: string }>;
}

/** A text is tried, not written: so many tokens of any model come within a minute or so. */
export const MOST_WRITTEN = 60;

/** A text that models of any kind continue. */
const FIRST: Beginning = { prompt: 'Once upon a time' };

/** A model with its first text, unasked; it always writes the likeliest token, so that the same text comes again. */
export function createWriting({ client, home }: WritingSource, model: string): Writing {
  const draft = createStore<{ readonly text: string }>(() => ({ text: '' }));
  const ask = async ({ prompt }: Beginning, call: CallOptions): Promise<Answer<Continuation>> => {
    draft.setState({ text: '' });
    const onProgress = (progress: Progress) => {
      const more = (progress.written ?? []).map(({ completion }) => completion).join('');
      if (more !== '' && !call.signal?.aborted) draft.setState(({ text }) => ({ text: text + more }));
      call.onProgress?.(progress);
    };
    const answer = await client.complete({ model, prompt, maximum_tokens: MOST_WRITTEN }, { ...call, onProgress });
    return answer.ok
      ? { ok: true, value: { ...continuationIn(answer.value), device: await home.deviceOf(model) } }
      : answer;
  };
  return { store: createLiveStore(FIRST, ask), draft };
}

type Completed = Extract<Awaited<ReturnType<WritingSource['client']['complete']>>, { readonly ok: true }>['value'];

function continuationIn({ completions, num_tokens_generated: tokens }: Completed): Omit<Continuation, 'device'> {
  const [first] = completions;
  return { text: first?.completion ?? '', tokens, end: first?.finish_reason ?? 'end_of_text' };
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
