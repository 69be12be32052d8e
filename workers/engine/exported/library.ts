import { messageOf } from '../../../src/contract/failure.ts';
import type * as Library from '@huggingface/transformers';
import type { PreTrainedModel, Tensor } from '@huggingface/transformers';
import { InferenceSession } from 'onnxruntime-web/webgpu';
import type { Model } from '../../../src/models/model.ts';
import { type Guard, isOutOfMemory, outOfMemory } from '../device/guard.ts';
import { refuse } from '../network.ts';
import { announceOpening, type GraphFiles, type Session, runtimeQueue, bytesOfGraph } from '../session/session.ts';

/** The part of transformers.js that is used. */
export type Transformers = Pick<
  typeof Library,
  'AutoModelForCausalLM' | 'AutoModelForSeq2SeqLM' | 'Tensor' | 'env' | 'LogLevel'
>;

/** A model of the library that generates text. */
export interface LibraryModel {
  readonly sessions: Readonly<Record<string, LibrarySession>>;
  forward(inputs: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface LibrarySession {
  readonly inputNames: readonly string[];
  /** Axes are numbers, or names where the exporter left them open. */
  readonly inputMetadata: readonly {
    readonly name: string;
    readonly type?: string;
    readonly shape?: readonly (number | string)[];
  }[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, never>>>;
}

/** A folder whose files are in memory. */
export interface LibraryFolder {
  /** `config.json`, parsed. */
  readonly config: object;
  readonly dtype: Model['dtype'];
  /** The decoder, then the encoder of a network with one; `name` such as `encoder_model`, `path` such as `onnx/encoder_model_q4.onnx`. */
  readonly graphs: readonly (GraphFiles & { readonly name: string; readonly path: string })[];
}

/** Each folder has a name that no hub has, so that the library never requests one of a hub's. */
const SHELF = 'lightwell.held';
let folders = 0;

/** Files for the library, by the name of their folder and their path in it; each is served once. */
const held = new Map<string, Uint8Array>();

/**
 * Opens a folder with transformers.js. The library requests files by name and gets those that were read and checked before:
 * it uses neither the network nor the browser's cache, and the one ONNX Runtime of this thread.
 *
 * @param provider  where its sessions run
 * @throws {FailureError} MODEL_UNAVAILABLE with the library's own message, or OUT_OF_MEMORY
 * @throws {WebAssembly.RuntimeError} of a trap
 */
export async function openLibraryModel(
  library: Transformers,
  folder: LibraryFolder,
  guard: Guard,
  provider: { readonly device: 'wasm' | 'webgpu'; readonly executionProvider: unknown; readonly isPair: boolean },
): Promise<{ readonly model: LibraryModel; readonly opened: OpenedSessions }> {
  const { AutoModelForCausalLM, AutoModelForSeq2SeqLM, env, LogLevel } = library;
  const name = `${SHELF}/${++folders}`;
  const files = folder.graphs.map(({ path, model }) => [`${name}/${path}`, model] as const);
  const Auto = provider.isPair ? AutoModelForSeq2SeqLM : AutoModelForCausalLM;
  // Settings for the library in the folder's own configuration are replaced by what was decided before.
  const config = { ...folder.config, 'transformers.js_config': {} };
  const open = (): Promise<PreTrainedModel> =>
    Auto.from_pretrained(name, {
      config: config as never,
      dtype: folder.dtype,
      device: provider.device,
      model_file_name: folder.graphs[0]?.name ?? 'model',
      session_options: {
        executionProviders: [provider.executionProvider as never],
        externalData: folder.graphs.flatMap(({ external }) => [...external]),
      },
    });
  return runtimeQueue(() => {
    announceOpening(folder.graphs.reduce((sum, graph) => sum + bytesOfGraph(graph), 0));
    return guard(async () => {
      for (const [path, bytes] of files) held.set(path, bytes);
      setUp(env, LogLevel.NONE);
      try {
        const { value, sessions } = await watchSessions(InferenceSession as unknown as SessionMaker, open);
        return { model: value as unknown as LibraryModel, opened: sessions };
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) throw error;
        if (isOutOfMemory(error)) throw outOfMemory(error);
        const cause = messageOf(error);
        return refuse(`transformers.js cannot open it: ${cause}`);
      } finally {
        for (const [path] of files) held.delete(path);
      }
    });
  });
}

/** Nothing leaves the folder: no hub, no local path, no cache of the browser, no loader from a blob, which the page's policy forbids. */
function setUp(env: Transformers['env'], silent: number): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = true; // the library needs one of the two; its requests are refused below
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.logLevel = silent;
  env.fetch = () => Promise.reject(new TypeError('transformers.js may ask for nothing'));
  env.useCustomCache = true;
  env.customCache = {
    match: async (request: string) => {
      const path = request.slice(Math.max(0, request.indexOf(SHELF)));
      const bytes = held.get(path);
      held.delete(path);
      return bytes && new Response(bytes as BodyInit);
    },
    put: async () => undefined,
  };
}

/** ONNX Runtime's class of sessions, which the library and the engine share. */
interface SessionMaker {
  create(...options: readonly never[]): Promise<Session>;
}

interface OpenedSessions {
  /** The first error since the last call; undefined: none. */
  failure(): unknown;
  release(): Promise<void>;
}

/** Replaces a session that could not be opened. */
const NO_SESSION = { inputNames: [], outputNames: [], inputMetadata: [], outputMetadata: [] };

/**
 * Lets the library open its sessions, and hides their errors from it: it chains its calls of ONNX Runtime, those of all its
 * models, and makes no further one in this thread after one that rejects. Nor does it release the sessions of a model of
 * which one does not open.
 *
 * @param open  runs while `maker` is watched; nothing else may open sessions meanwhile
 * @source transformers.js 4.3.1, backends/onnx.js, webInitChain and webInferenceChain; session.js, constructSessions
 */
async function watchSessions<Value>(
  maker: SessionMaker,
  open: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly sessions: OpenedSessions }> {
  const opened: Session[] = [];
  let failed: { readonly error: unknown } | undefined;
  const create = maker.create.bind(maker);
  maker.create = async (...options) => {
    try {
      const session = await create(...options);
      opened.push(session);
      return withoutRejections(session, (error) => (failed ??= { error }));
    } catch (error) {
      failed ??= { error };
      return NO_SESSION as unknown as Session;
    }
  };
  const sessions: OpenedSessions = {
    failure() {
      const error = failed?.error;
      failed = undefined;
      return error;
    },
    release: async () => {
      for (const session of opened.splice(0)) await session.release();
    },
  };
  try {
    const value = await open();
    if (failed) throw failed.error;
    return { value, sessions };
  } catch (error) {
    await sessions.release();
    throw failed?.error ?? error;
  } finally {
    maker.create = create;
  }
}

/** The same session, whose runs never reject: one that fails returns nothing, and passes its error to `onFailure`. */
function withoutRejections(session: Session, onFailure: (error: unknown) => void): Session {
  const run = session.run.bind(session);
  return Object.assign(session, {
    run: async (...inputs: Parameters<Session['run']>) => {
      try {
        return await run(...inputs);
      } catch (error) {
        onFailure(error);
        return {};
      }
    },
  });
}
