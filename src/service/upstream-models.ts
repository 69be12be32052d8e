import { messageOf } from '../contract/failure.ts';
import { jsonIn } from '../contract/records.ts';
import { shortText } from '../contract/shown.ts';
import { ENGINE_ADDRESS, UPSTREAM_PATH } from '../contract/wire/engine.ts';
import { z } from '../contract/wire/zod.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';
import type { ServiceSettingsStore } from './service-settings.ts';

interface UpstreamOptions {
  readonly catalogue: Catalogue;
  readonly settings: Pick<ServiceSettingsStore, 'get' | 'subscribe'>;
  readonly token: () => string;
  /** The page's own address. */
  readonly page: string;
}

/** @source OpenAI API reference, "List models"; vLLM and llama.cpp add the length of a model's context, each at its place */
const ListedModels = z.object({
  data: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        max_model_len: z.number().int().positive().nullish(),
        meta: z.object({ n_ctx: z.number().int().positive().nullish() }).nullish(),
      }),
    )
    .max(1000),
});

/** @source `createEngineProxy` of the local server */
const ErrorBody = z.object({ error: z.string().min(1) });

/** Tokens of a context where the server does not say how long it is; it refuses longer texts itself. */
const CONTEXT_TOKENS = 32_768;

/** A page registers its token with the local server after it has started. */
const UNKNOWN_TOKEN = { tries: 20, everyMs: 250 };

/** Of the requests for one list of models; the router waits for the first list where a name is unknown. */
const LIST_MS = 10_000;

/** Characters of an error that a server sends. */
const MAX_ERROR = 500;

/**
 * Keeps the models of the OpenAI-compatible server that settings name in the catalogue, by their own names; one whose name is taken
 * is listed below `upstream/`.
 */
export function followUpstream(options: UpstreamOptions) {
  const { catalogue, settings } = options;
  let listed: string | null = null;
  let underWay: { readonly address: string | null; readonly ids: Promise<readonly string[]> } | null = null;
  const drop = (isGone: (model: Model) => boolean) => {
    for (const model of catalogue.models)
      if (model.upstream !== undefined && isGone(model)) catalogue.remove(model.name);
  };
  const list = async (address: string | null): Promise<readonly string[]> => {
    listed = address;
    drop(({ upstream }) => upstream !== address);
    if (address === null) return [];
    const found = await modelsAt(address, options);
    if (settings.get().upstream.address !== address) return []; // changed meanwhile
    const ids = found.map(({ version }) => version);
    drop(({ version }) => !ids.includes(version));
    const kept = new Set(
      catalogue.models.flatMap(({ upstream, version }) => (upstream === undefined ? [] : [version])),
    );
    for (const model of found.filter(({ version }) => !kept.has(version)))
      catalogue.add(catalogue.find(model.name) ? { ...model, name: `upstream/${model.name}` } : model);
    return ids;
  };
  const connect = (): Promise<readonly string[]> => {
    const { address } = settings.get().upstream;
    if (underWay?.address === address) return underWay.ids;
    const ids = list(address).finally(() => {
      if (underWay?.ids === ids) underWay = null;
    });
    underWay = { address, ids };
    return ids;
  };
  const quietly = () =>
    connect().then(
      () => undefined,
      (error: unknown) => console.warn(String(error)),
    );
  settings.subscribe(({ upstream }) => {
    if (upstream.address !== listed) void quietly();
  });
  return {
    /** Of the first list; undefined where settings name no server. */
    known: settings.get().upstream.address === null ? undefined : quietly(),
    /** Lists the models again, unless a list is under way, which is returned. @throws {Error} with why they cannot be listed */
    connect,
  };
}

/** @throws {Error} with why the models cannot be listed */
async function modelsAt(address: string, options: UpstreamOptions): Promise<Model[]> {
  const { ok, status, body } = await answerOf(address, options);
  if (!ok) throw new Error(problemIn(body, status, address));
  const parsed = ListedModels.safeParse(jsonIn(body));
  if (!parsed.success) throw new Error(`${address}: expected a list of models, got something else`);
  return parsed.data.data.map(({ id, max_model_len, meta }) => ({
    name: id,
    version: id,
    description: `A model at ${address}. What you enter for it leaves this device.`,
    folder: `${address}/`,
    dtype: 'fp32',
    contextTokens: max_model_len ?? meta?.n_ctx ?? CONTEXT_TOKENS,
    capabilities: ['likelihood'],
    tier: 'as_exported',
    reason: `it runs at ${address}, which tells only how likely texts are`,
    files: {},
    upstream: address,
  }));
}

/** Asks again while the local server does not know the page's token. @throws {Error} without an answer */
async function answerOf(address: string, { token, page }: UpstreamOptions) {
  const url = new URL(`${UPSTREAM_PATH}models`, page);
  const signal = AbortSignal.timeout(LIST_MS);
  try {
    for (let tries = 1; ; tries++) {
      const headers = { Authorization: `Bearer ${token()}`, [ENGINE_ADDRESS]: address };
      const response = await fetch(url, { headers, cache: 'no-store', signal });
      const { ok, status } = response;
      if (status !== 401 || tries === UNKNOWN_TOKEN.tries) return { ok, status, body: await response.text() };
      await new Promise((resolve) => setTimeout(resolve, UNKNOWN_TOKEN.everyMs));
    }
  } catch (error) {
    if (signal.aborted) throw new Error(`${address} did not answer within ${LIST_MS / 1000} s`, { cause: error });
    throw new Error(`${address}: the local server cannot be reached: ${messageOf(error)}`, { cause: error });
  }
}

/** Why there is no list, without HTML and JSON: the local server passes on what another server sends instead of a text. */
function problemIn(body: string, status: number, address: string): string {
  const parsed = ErrorBody.safeParse(jsonIn(body));
  if (!parsed.success) return `${address}: the local server answered ${status}`;
  const { error } = parsed.data;
  return /^\s*[<{[]/.test(error) ? `${address} answered ${status}` : shortText(error, MAX_ERROR);
}
