import { openAsBlob } from 'node:fs';
import { rangeOf } from '../model-files.ts';

/** Where the files of models are: absolute paths by address. */
export type FilesByUrl = ReadonlyMap<string, string>;

/**
 * A `fetch` that reads files from this computer's disk; all it knows of is in `files`, and nothing is requested from a network.
 * A request may name a range of bytes.
 */
export function fetchFrom(files: FilesByUrl): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const path = files.get(request.url);
    const file = path === undefined ? undefined : await openAsBlob(path);
    if (file === undefined) return new Response(null, { status: 404, statusText: 'Not found' });
    const range = rangeOf(request.headers.get('range') ?? undefined, file.size);
    if (range === 'unsatisfiable') return new Response(null, { status: 416 });
    const part = range === 'all' ? file : file.slice(range.start, range.end);
    const body = request.method === 'HEAD' ? null : part.stream();
    return new Response(body, {
      status: range === 'all' ? 200 : 206,
      headers: { 'Content-Length': String(part.size) },
    });
  };
}
