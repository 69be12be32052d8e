/** A body in the order of its pieces. A piece may end anywhere, also between the halves of a surrogate pair. */
export type BodyPieces = readonly string[];

/**
 * UTF-16 units from which on a body is handled in pieces: copying, encoding or parsing more than that at once would block
 * the page.
 */
export const LONG_BODY = 2 ** 19;

/** UTF-16 units of a piece: some milliseconds of work. */
const PIECE = 2 ** 18;

const pieces = new WeakMap<Request, BodyPieces>();

/** Gives a request a long body. A `Request` of the platform encodes its whole body when it is made. */
export function withLongBody(request: Request, body: BodyPieces): Request {
  pieces.set(request, body);
  return request;
}

/** The long body that a request was given; undefined: its body is its own. */
export function longBodyOf(request: Request): BodyPieces | undefined {
  return pieces.get(request);
}

/** Cuts a text; no characters are copied. */
export function inPieces(text: string): BodyPieces {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, i) => text.slice(i * PIECE, (i + 1) * PIECE));
}

/** A body as it goes over a line: a short one in the frame of its request, a long one in parts after that. */
export function divided(body: string | null): {
  readonly inRequest: { readonly body: string | null; readonly parts?: number };
  readonly parts: BodyPieces;
} {
  if (body === null || body.length <= LONG_BODY) return { inRequest: { body }, parts: [] };
  const parts = inPieces(body);
  return { inRequest: { body: null, parts: parts.length }, parts };
}
