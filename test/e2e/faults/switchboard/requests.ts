import { isFailing } from './board.ts';

const PAGE = '<!doctype html><title>Sign in</title><p>Please sign in to this network.</p>';

/** Requests to the network. */
export function watchRequests(): void {
  const original = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (...given) => {
    if (isFailing('fetch: rejects')) throw new TypeError('Failed to fetch');
    if (isFailing('fetch: status 503')) return new Response('busy', { status: 503 });
    if (isFailing('fetch: HTML instead')) return new Response(PAGE, { headers: { 'Content-Type': 'text/html' } });
    const breaksOff = isFailing('fetch: body breaks off');
    const response = await original(...given);
    return breaksOff ? brokenOff(response) : response;
  };
}

/** The same answer, whose body fails after its first piece. */
function brokenOff({ body, status, headers }: Response): Response {
  const reader = body?.getReader();
  const part = new ReadableStream<Uint8Array>({
    async start(controller) {
      const piece = await reader?.read();
      if (piece?.value) controller.enqueue(piece.value.subarray(0, 100));
    },
    async pull(controller) {
      controller.error(new TypeError('network error'));
      await reader?.cancel();
    },
  });
  return new Response(part, { status, headers });
}
