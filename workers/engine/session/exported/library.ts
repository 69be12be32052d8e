import type * as Library from '@huggingface/transformers';
import type { PreTrainedModel, Tensor } from '@huggingface/transformers';
import { InferenceSession } from 'onnxruntime-web/webgpu';
import { FailureError } from '../../../../src/contract/failure.ts';
import type { Model } from '../../../../src/models/model.ts';
import { isOutOfMemory, outOfMemory } from '../../device/memory.ts';
import type { GraphFiles } from '../session.ts';
import { type OpenedSessions, type SessionMaker, watchSessions } from './opened-sessions.ts';

/** What of transformers.js is used. */
export type Transformers = Pick<
  typeof Library,
  'AutoModelForCausalLM' | 'AutoModelForSeq2SeqLM' | 'Tensor' | 'env' | 'LogLevel'
>;

/** A model of the library that writes. */
export interface Writer {
  readonly sessions: Readonly<Record<string, WriterSession>>;
  forward(inputs: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}

/** A model of the library, and the sessions that it runs. */
export interface OpenedWriter {
  readonly writer: Writer;
  readonly opened: OpenedSessions;
}

/** A session as the library keeps it. */
export interface WriterSession {
  readonly inputNames: readonly string[];
  /** Axes are numbers, or names where the exporter left them open. */
  readonly inputMetadata: readonly {
    readonly name: string;
    readonly type?: string;
    readonly shape?: readonly (number | string)[];
  }[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, never>>>;
}

/** A graph of a folder. */
export interface WriterGraph extends GraphFiles {
  /** Such as `encoder_model`. */
  readonly name: string;
  /** Such as `onnx/encoder_model_q4.onnx`. */
  readonly path: string;
}

/** A folder as the library is given it. */
export interface WriterFolder {
  /** `config.json`, parsed. */
  readonly config: object;
  readonly dtype: Model['dtype'];
  /** Its graphs, the one that writes first. */
  readonly graphs: readonly WriterGraph[];
}

/** Each folder has a name that no hub has, so that what the library asks for is never one of a hub's. */
const SHELF = 'lightwell.held';
let folders = 0;

/** Files that the library may ask for, by the name of their folder and their path in it; each is given once. */
const held = new Map<string, Uint8Array>();

/**
 * Opens a folder with transformers.js. The library asks for files by name and gets those that were read and checked before: it may
 * ask neither the network nor the browser's cache, and it runs on the one ONNX Runtime of this thread.
 * No other session may be opened meanwhile.
 *
 * @param provider  where its sessions run
 * @throws {FailureError} MODEL_UNAVAILABLE with the library's own message, or OUT_OF_MEMORY
 * @throws {WebAssembly.RuntimeError} of a trap
 */
export async function openWriter(
  library: Transformers,
  folder: WriterFolder,
  provider: { readonly device: 'wasm' | 'webgpu'; readonly executionProvider: unknown; readonly isPair: boolean },
): Promise<OpenedWriter> {
  const { AutoModelForCausalLM, AutoModelForSeq2SeqLM, env, LogLevel } = library;
  const name = `${SHELF}/${++folders}`;
  const files = folder.graphs.map(({ path, model }) => [`${name}/${path}`, model] as const);
  for (const [path, bytes] of files) held.set(path, bytes);
  setUp(env, LogLevel.NONE);
  try {
    const Auto = provider.isPair ? AutoModelForSeq2SeqLM : AutoModelForCausalLM;
    // What the folder itself says of devices, types and files for the library was decided before.
    const config = { ...folder.config, 'transformers.js_config': {} };
    const open = (): Promise<PreTrainedModel> =>
      Auto.from_pretrained(name, {
        ...{
          config: config as never,
          dtype: folder.dtype,
          device: provider.device,
          model_file_name: folder.graphs[0]?.name ?? 'model',
        },
        session_options: {
          executionProviders: [provider.executionProvider as never],
          externalData: folder.graphs.flatMap(({ external }) => [...external]),
        },
      });
    const { value, sessions } = await watchSessions(InferenceSession as unknown as SessionMaker, open);
    return { writer: value as unknown as Writer, opened: sessions };
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    if (isOutOfMemory(error)) throw outOfMemory(error);
    const cause = error instanceof Error ? error.message : String(error);
    throw new FailureError('MODEL_UNAVAILABLE', `transformers.js cannot open it: ${cause}`);
  } finally {
    for (const [path] of files) held.delete(path);
  }
}

/** Nothing leaves the folder: no hub, no local path, no cache of the browser, no loader from a blob, which the page's policy forbids. */
function setUp(env: Transformers['env'], silent: number): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = true; // the library refuses to do without both; what it then fetches is refused below
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.logLevel = silent;
  env.fetch = () => Promise.reject(new TypeError('transformers.js may ask for nothing'));
  env.useCustomCache = true;
  env.customCache = {
    match: async (asked: string) => {
      const path = asked.slice(Math.max(0, asked.indexOf(SHELF)));
      const bytes = held.get(path);
      held.delete(path);
      return bytes && new Response(bytes as BodyInit);
    },
    put: async () => undefined,
  };
}
