import { fixedText, numberText } from '../../words/numbers.ts';

/** Statuses of the contract, as HTTP names them. */
const WORDS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

/** `200 OK`; the number alone for a status that the contract does not have. */
export function statusText(status: number): string {
  return [status, WORDS[status]].filter((part) => part !== undefined).join(' ');
}

/** `85 ms`, and from ten seconds on `12.3 s`. */
export function durationText(ms: number): string {
  return ms < 10_000 ? `${numberText(Math.round(ms), { useGrouping: false })} ms` : `${fixedText(ms / 1000, 1)} s`;
}

/** What a text weighs as UTF-8: `512 B`, `2.7 kB`, `1.2 MB`. */
export function sizeText(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${fixedText(bytes / 1000, 1)} kB` : `${fixedText(bytes / 1e6, 1)} MB`;
}
