import type { PassedHeader } from './frames.ts';

/** Where a tab connects to the server's bridge, as a WebSocket. */
export const BRIDGE_PATH = '/api/bridge';

/** A tab that was loaded before an incompatible change speaks another subprotocol, is refused, and must be reloaded. */
export const BRIDGE_SUBPROTOCOL = 'lightwell.bridge.1';

/** How the page learns that its server has a bridge: the name of an entry in the header `Server-Timing`. */
export const BRIDGE_ANNOUNCEMENT = 'lightwell-bridge';

/** The headers of a request that a tab gets to see. */
export const PASSED_HEADERS = ['accept', 'authorization', 'content-type'] as const satisfies readonly PassedHeader[];

/** The header that tells how many bytes a compressed answer holds; `Content-Length` counts those that are sent. */
export const UNCOMPRESSED_LENGTH = 'x-uncompressed-length';
