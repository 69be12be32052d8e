/** A body in the order of its pieces. A piece may end anywhere, also between the halves of a surrogate pair. */
export type BodyPieces = readonly string[];

/** UTF-16 units above which a body is long: parsing or copying it takes a task of its own. */
export const LONG_BODY = 2 ** 19;

/** UTF-16 units of a piece: a few milliseconds of work. */
const PIECE = 2 ** 18;

const texts = new WeakMap<Request, string>();

/** Gives a request a long body. A `Request` of the platform would encode it when it is made: 300 ms for 50 MB. */
export function withLongBody(request: Request, text: string): Request {
  texts.set(request, text);
  return request;
}

/** The long body that a request was given; undefined: its body is its own. */
export function longBodyOf(request: Request): string | undefined {
  return texts.get(request);
}

/** A body as a transport sends it: a short one in the frame of its request, a long one in parts after that. */
export function splitLongBody(body: string | null): {
  readonly inRequest: { readonly body: string | null; readonly parts?: number };
  readonly parts: BodyPieces;
} {
  if (body === null || body.length <= LONG_BODY) return { inRequest: { body }, parts: [] };
  const count = Math.ceil(body.length / PIECE);
  const parts = Array.from({ length: count }, (_, i) => body.slice(i * PIECE, (i + 1) * PIECE));
  return { inRequest: { body: null, parts: count }, parts };
}
