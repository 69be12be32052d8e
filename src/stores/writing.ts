import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer, CallOptions, Client } from '../client/client.ts';
import type { CompleteResponse, FinishReason } from '../contract/complete.ts';
import type { Progress } from '../contract/progress.ts';
import { ranAt } from './settings-store.ts';
import { createLiveStore, type LiveStore } from './live-store.ts';
import type { EngineReport } from './status-stores.ts';
import type { ModelRegistry } from './model-home.ts';

interface WritingSource {
  readonly client: Pick<Client, 'complete'>;
  readonly home: Pick<ModelRegistry, 'deviceOf'>;
}

/** A text to be continued. */
export interface WritingPrompt {
  readonly prompt: string;
}

/** The text that a model has written after it. */
export interface Continuation {
  readonly text: string;
  readonly tokens: number;
  readonly end: FinishReason;
  /** Address of the engine that has computed it; null: this device has. */
  readonly place: string | null;
  /** The backend of this device that has, and why it was chosen; null if an engine has, or if it is unknown. */
  readonly device: EngineReport | null;
}

/** A text as far as it is written, and its prompt. */
interface WritingDraft extends WritingPrompt {
  readonly text: string;
}

/** A model that is tried: its prompt, and what it writes. */
export interface Writing {
  readonly store: LiveStore<WritingPrompt, Continuation>;
  /** Of the request that runs or ran last. */
  readonly draft: StoreApi<WritingDraft>;
}

/** Any model writes this many tokens within about a minute. */
export const MAX_WRITTEN_TOKENS = 60;

const FIRST: WritingPrompt = { prompt: 'Once upon a time' };

/** A model with its first prompt, not yet sent; it always writes the likeliest token, so the same text repeats. */
export function createWriting({ client, home }: WritingSource, model: string): Writing {
  const draft = createStore<WritingDraft>(() => ({ prompt: '', text: '' }));
  const ask = async ({ prompt }: WritingPrompt, call: CallOptions): Promise<Answer<Continuation>> => {
    draft.setState({ prompt, text: '' });
    const onProgress = (progress: Progress) => {
      const more = (progress.written ?? []).map(({ completion }) => completion).join('');
      if (more !== '' && !call.signal?.aborted) draft.setState(({ text }) => ({ text: text + more }));
      call.onProgress?.(progress);
    };
    const answer = await client.complete(
      { model, prompt, maximum_tokens: MAX_WRITTEN_TOKENS },
      { ...call, onProgress },
    );
    if (!answer.ok) return answer;
    const found = continuationIn(answer.value);
    // The text is shown even if its model has been removed since.
    const device = found.place === null ? await home.deviceOf(model).catch(() => null) : null;
    return { ok: true, value: { ...found, device } };
  };
  return { store: createLiveStore(FIRST, ask), draft };
}

function continuationIn(response: CompleteResponse): Omit<Continuation, 'device'> {
  const { completions, num_tokens_generated: tokens, model_version } = response;
  const [first] = completions;
  const end = first?.finish_reason ?? 'end_of_text';
  return { text: first?.completion ?? '', tokens, end, place: ranAt(model_version) };
}

/** The writing of a model, the same while the app is open. */
export function writingStoreOf(
  page: WritingSource & { readonly writings: Map<string, Writing> },
  model: string,
): Writing {
  const writing = page.writings.get(model) ?? createWriting(page, model);
  page.writings.set(model, writing);
  return writing;
}
