/** A body in the order of its pieces. None ends between the halves of a surrogate pair. */
export type BodyPieces = readonly string[];

/** UTF-16 units above which a body is long: parsing or copying it takes a task of its own. */
export const LONG_BODY = 2 ** 19;

/** UTF-16 units of a piece, and of an answer that is sent whole: a few milliseconds of work. */
export const PIECE = 2 ** 18;

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

/** A text in pieces; none for an empty one. */
export function piecesOf(text: string): BodyPieces {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += pieces.at(-1)?.length ?? 0)
    pieces.push(text.slice(start, pieceEnd(text, start)));
  return pieces;
}

function pieceEnd(text: string, start: number): number {
  const end = start + PIECE;
  const isPair = isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length;
  return isPair ? end - 1 : end;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A body as a transport sends it: a short one in the frame of its request, a long one in parts after that. */
interface DividedBody {
  readonly inRequest: { readonly body: string | null; readonly parts?: number };
  readonly parts: BodyPieces;
}

/** Divides a body. */
export function splitLongBody(body: string | null): DividedBody {
  if (body === null || body.length <= LONG_BODY) return { inRequest: { body }, parts: [] };
  return inParts(piecesOf(body));
}

/** Divides a body that came in pieces. */
export function dividedBody(pieces: BodyPieces): DividedBody {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return length <= LONG_BODY ? { inRequest: { body: pieces.join('') }, parts: [] } : inParts(pieces);
}

function inParts(parts: BodyPieces): DividedBody {
  return { inRequest: { body: null, parts: parts.length }, parts };
}
