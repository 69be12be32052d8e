/** Where the local server passes requests on to a remote engine, below the page's own address. */
export const ENGINE_PATH = 'api/engine/';

/** The address that the page's settings name; the local server refuses any but its own. */
export const ENGINE_ADDRESS = 'lightwell-engine';

/** `2` on the second try of a request, which then takes a connection of its own. */
export const ENGINE_ATTEMPT = 'lightwell-attempt';

/** Says how long the JSON in front of raw tensors is. @source Open Inference Protocol v2, binary tensor data extension */
export const JSON_LENGTH = 'inference-header-content-length';

/** Header of every answer that ran a model: `here`, or `remote` with the engine's address. */
export const RAN_AT = 'lightwell-ran';

/** What the local server says of its engine at `ENGINE_PATH`; `null` where it was started without one. */
export interface EngineOffer {
  readonly address: string;
  /** Models of the engine that may be asked for. */
  readonly models: readonly string[];
}

/** A model's name as it may stand in an address of the protocol. */
export const ENGINE_MODEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
