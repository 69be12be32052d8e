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

/** @source OpenAI API reference, "List models"; vLLM adds the length of a model's context */
const ListedModels = z.object({
  data: z
    .array(z.object({ id: z.string().min(1).max(200), max_model_len: z.number().int().positive().nullish() }))
    .max(1000),
});

/** Tokens of a context where the server does not say how long it is; it refuses longer texts itself. */
const CONTEXT_TOKENS = 32_768;

/** A page registers its token with the local server after it has started. */
const UNKNOWN_TOKEN = { tries: 20, everyMs: 250 };

/**
 * Keeps the models of the OpenAI-compatible server that settings name in the catalogue, by their own names; one whose name is taken
 * is listed below `upstream/`.
 */
export function followUpstream(options: UpstreamOptions) {
  const { catalogue, settings } = options;
  let listed: string | null = null;
  const drop = (isGone: (model: Model) => boolean) => {
    for (const model of catalogue.models)
      if (model.upstream !== undefined && isGone(model)) catalogue.remove(model.name);
  };
  const connect = async (): Promise<readonly string[]> => {
    const { address } = settings.get().upstream;
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
    /** Lists the models again. @throws {Error} with why they cannot be listed */
    connect,
  };
}

async function modelsAt(address: string, { token, page }: UpstreamOptions): Promise<Model[]> {
  const url = new URL(`${UPSTREAM_PATH}models`, page);
  const ask = () =>
    fetch(url, { headers: { Authorization: `Bearer ${token()}`, [ENGINE_ADDRESS]: address }, cache: 'no-store' });
  let response = await ask();
  for (let tries = 1; response.status === 401 && tries < UNKNOWN_TOKEN.tries; tries++) {
    await new Promise((resolve) => setTimeout(resolve, UNKNOWN_TOKEN.everyMs));
    response = await ask();
  }
  if (!response.ok)
    throw new Error(`${address}: the local server answered ${response.status}: ${await response.text()}`);
  const parsed = ListedModels.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new Error(`${address}: expected a list of models, got something else`);
  return parsed.data.data.map(({ id, max_model_len: contextTokens }) => ({
    name: id,
    version: id,
    description: `A model at ${address}. What you enter for it leaves this device.`,
    folder: `${address}/`,
    dtype: 'fp32',
    contextTokens: contextTokens ?? CONTEXT_TOKENS,
    capabilities: ['likelihood'],
    tier: 'as_exported',
    reason: `it runs at ${address}, which tells only how likely texts are`,
    files: {},
    upstream: address,
  }));
}
