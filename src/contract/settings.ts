import { ENGINE_MODEL } from './wire/engine.ts';
import { z } from './wire/zod.ts';

const modelName = z.string().min(1).max(200);

/** Operations for which one name may map to different models. `lens` uses the model of `predict`. */
export const NAMED_USES = ['explain', 'embed', 'evaluate', 'predict', 'complete', 'semantic_embed', 'qa'] as const;

/** A model for every operation, or one for each of those that are named; it maps to none for the others. */
const namedModels = z.union([
  modelName,
  z
    .partialRecord(z.enum(NAMED_USES), modelName)
    .refine((models) => Object.keys(models).length > 0, { error: 'a model for at least one operation' }),
]);
/** The local models that a name from another service maps to. */
export type NamedModels = z.infer<typeof namedModels>;

/** null: the catalogue's first model that can do it. */
const defaultModel = modelName.nullable();

/** Scheme, host and port of a page, as browsers send them in `Origin`. */
const origin = z.string().refine(isOrigin, { error: 'an origin such as "https://notebook.example"' });

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Scheme, host, port and path of an engine, without a slash at the end. */
const engineAddress = z.string().max(200).refine(isAddress, { error: 'an address such as "https://engine.example"' });

function isAddress(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { href, username, password, search, hash } = new URL(text);
  return href.replace(/\/+$/, '') === text && `${username}${password}${search}${hash}` === '';
}

/** An engine elsewhere: where it is and what may run there. */
const EngineSettings = z.strictObject({
  /** null: none. It must be the one that the local server was started with. */
  address: engineAddress.nullable(),
  /** Names of local models, and the engine's models that they map to. */
  models: z.record(modelName, z.string().regex(ENGINE_MODEL, { error: "a name of one of the engine's models" })),
  /** May be used for requests whose `hosting` is null or left out. One that names the operator always runs here. */
  whenHostingIsNull: z.boolean(),
  /** When the engine cannot be reached: answer 503, or run the request on this device. */
  ifAway: z.enum(['fail', 'here']),
});

/** An OpenAI-compatible server whose models are explained by deletion. */
const UpstreamFields = z.strictObject({
  /** null: none. It must be the one that the local server was started with. */
  address: engineAddress.refine((text) => text.endsWith('/v1'), { error: 'an address that ends in /v1' }).nullable(),
  /** Tokens that the server may read for one request of this page; null: no limit. */
  maxTokens: z.number().int().min(1).nullable(),
  /** What a million tokens cost there, in any currency; null: not known. */
  pricePerMillionTokens: z.number().positive().nullable(),
  /** What one request of this page may cost there, in the same currency; null: no limit. Only with a price. */
  maxCost: z.number().positive().nullable(),
});

const UpstreamSettings = UpstreamFields.check(({ value: { pricePerMillionTokens, maxCost }, issues }) => {
  if (pricePerMillionTokens !== null || maxCost === null) return;
  const message = 'null while pricePerMillionTokens is null';
  issues.push({ code: 'custom', path: ['maxCost'], input: maxCost, message });
});

const DeviceSettings = z.strictObject({
  /** null: measured for each model. */
  backend: z.enum(['webgpu', 'wasm']).nullable(),
  /** WebAssembly threads; null: one for each core, up to four. */
  threads: z.number().int().min(1).max(16).nullable(),
});

/** A hub's address as it is kept: without a slash at its end. */
const hub = z.string().max(500).refine(isHub, { error: 'an address such as "https://huggingface.co"' });

/** Over TLS, or on this machine: all that the content security policy of the worker that fetches models allows. */
function isHub(text: string): boolean {
  if (!URL.canParse(text) || /[?#]|\/$/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname));
}

/**
 * Figures of a calibration. `hidden` and `dimmed`: rank correlation with deletion; losses of later tokens without the first word,
 * and without the first delimiter: nats; `state`: see `Model.state`.
 */
const CALIBRATED = [
  'factor',
  'hidden',
  'dimmed',
  'lossDimmed',
  'lossDeleted',
  'delimiterDimmed',
  'delimiterDeleted',
  'state',
] as const;

/** The settings of a user. A change applies to the next request. */
export const ServiceSettings = z.strictObject({
  /** The deployment's own name, a value of `hosting`. */
  operator: z.string().min(1).max(100),
  /** Names that clients ask for, and the local model, or models by operation, that answer to each; `model_version` names what really ran. */
  modelNames: z.record(modelName, namedModels),
  /** Models of requests that name none, and the one that the page itself explains with. */
  defaultModels: z.strictObject({ explain: defaultModel, semantic_embed: defaultModel, qa: defaultModel }),
  /** A request that takes longer gets a 408. */
  timeoutMs: z.number().int().min(1000).max(3_600_000),
  /** Requests that may wait; one more gets a 503 `QUEUE_FULL`. */
  maxWaiting: z.number().int().min(1).max(10_000),
  /** Other pages whose scripts may read answers that come over the local server. */
  allowedOrigins: z.array(origin).max(100),
  /** Offers tools to agents of the browser, in a page and where the browser has WebMCP. */
  agentTools: z.boolean(),
  /** Off unless it is set. */
  engine: EngineSettings,
  /** Off unless it is set. */
  upstream: UpstreamSettings,
  /** Overrides the measured choice. */
  device: DeviceSettings,
  /** Where the page fetches models from on request: the Hugging Face hub, or a mirror of it. */
  hub,
  /** How models that the user has added are explained, measured once on the page; see `calibrate`. */
  calibrations: z.record(modelName, z.record(z.enum(CALIBRATED), z.number())),
});
export type ServiceSettings = z.infer<typeof ServiceSettings>;

/** What was measured of one model. */
export type Calibration = ServiceSettings['calibrations'][string];

/** A change to some of the settings; `defaultModels`, `engine`, `upstream` and `device` may be partial too, other fields are replaced as a whole. */
export type SettingsChange = {
  readonly [Name in keyof ServiceSettings]?: Name extends 'defaultModels' | 'engine' | 'upstream' | 'device'
    ? Partial<ServiceSettings[Name]>
    : ServiceSettings[Name];
};

/** The settings of a page where nothing was set. Time-out as the service has it. @source contract facts §1.1 */
export const DEFAULT_SETTINGS: ServiceSettings = {
  operator: 'lightwell',
  modelNames: {},
  defaultModels: { explain: null, semantic_embed: null, qa: null },
  timeoutMs: 300_000,
  maxWaiting: 64,
  allowedOrigins: [],
  agentTools: false,
  engine: { address: null, models: {}, whenHostingIsNull: false, ifAway: 'fail' },
  upstream: { address: null, maxTokens: null, pricePerMillionTokens: null, maxCost: null },
  device: { backend: null, threads: null },
  hub: 'https://huggingface.co',
  calibrations: {},
};
