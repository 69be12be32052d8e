import type { Page } from 'playwright';
import { MODEL } from '../../test/e2e/calls.ts';

/** 12 sentences. */
const PROMPT = Array.from({ length: 12 }, (_, i) => `The ${i}th red apple lay on the table.`).join(' ');

/** An explanation with its time. */
export type Timed = Awaited<ReturnType<typeof explainedOn>>;

/** Explains a long prompt in the page: where it ran, its scores, and how long it took. The event `part` tells of parts. */
export function explainedOn(page: Page, hosting: string | null) {
  return page.evaluate(
    async ([model, prompt, asked]) => {
      const body = { model, prompt, target: ' red', prompt_granularity: { type: 'token' }, hosting: asked };
      const headers = { Authorization: `Bearer ${lightwell.token}`, Accept: 'application/x-ndjson' };
      const startedMs = performance.now();
      const response = await lightwell.fetch('/explain', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const ran = response.headers.get('Lightwell-Ran');
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        text += part.value;
        if (part.value.includes('"partial"')) globalThis.dispatchEvent(new Event('part'));
      }
      const last = JSON.parse(text.trim().split('\n').at(-1) ?? '{}');
      const answer = last.response ?? last;
      const scores: number[] =
        answer.explanations?.[0].items[0].scores.map((each: { score: number }) => each.score) ?? [];
      return { ran, scores, said: JSON.stringify(answer).slice(0, 300), ms: performance.now() - startedMs };
    },
    [MODEL, PROMPT, hosting] as const,
  );
}
