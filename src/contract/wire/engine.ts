/** Where the local server passes requests on to a remote engine, below the page's own address. */
export const ENGINE_PATH = 'api/engine/';

/** The address that the page's settings name; the local server refuses any but its own. */
export const ENGINE_ADDRESS = 'lightwell-engine';

/** `2` on the second try of a request, which then takes a connection of its own. */
export const ENGINE_ATTEMPT = 'lightwell-attempt';

/** Length of the JSON in front of raw tensors. @source Open Inference Protocol v2, binary tensor data extension */
export const JSON_LENGTH = 'inference-header-content-length';

/** Header of every answer that ran a model: `here`, or `remote` with the engine's address. */
export const RAN_AT = 'lightwell-ran';

/** Below `ENGINE_PATH`: where the local server passes requests on to an OpenAI-compatible server. */
export const UPSTREAM_PATH = `${ENGINE_PATH}v1/`;

/** The local server's answer at `ENGINE_PATH` about what it passes requests on to; `null` where it was started without it. */
export interface EngineOffer {
  readonly engine: {
    readonly address: string;
    /** Models of the engine that may be asked for. */
    readonly models: readonly string[];
  } | null;
  /** An OpenAI-compatible server; its address ends in `/v1`. */
  readonly upstream: { readonly address: string } | null;
}

/** A model's name as it may appear in a URL of the protocol. */
export const ENGINE_MODEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Where the local server keeps the folders of `--models`, below the page's own address. */
export const LOCAL_MODELS_PATH = 'local-models/';

/** How the page learns that its server has such folders: the name of an entry in the header `Server-Timing`. */
export const LOCAL_MODELS_ANNOUNCEMENT = 'lightwell-local-models';

/** A folder in the hub's layout, as the list at `LOCAL_MODELS_PATH` has it. */
export interface LocalFolder {
  /** Its path below the folder of `--models`, such as `owner/name`; parts are joined by `/`. */
  readonly name: string;
  /** Where its files are, below `LOCAL_MODELS_PATH`, percent-encoded, ending in a slash; '' for the folder itself. */
  readonly path: string;
  /** Bytes of its files, by their paths in it. */
  readonly files: Readonly<Record<string, number>>;
  /** When the last of them was changed, milliseconds since 1970. */
  readonly modified: number;
}

/**
 * What a page makes as its bearer token: 256 random bits in hexadecimal. The local server accepts
 * no other format: a tab could otherwise register the hash of an empty or placeholder token, and receive requests that carry
 * it. A page ignores anything else in its storage.
 */
export const TOKEN_FORMAT = /^[0-9a-f]{64}$/;

/** Sent with every 401: how a request must show who sends it. @source RFC 9110 §11.6.1, RFC 6750 §3 */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="Lightwell"' } as const;
