import type { Outcome } from './outcome.ts';
import { requestOf } from './question.ts';

/** A row for each section and a column for each target token, RFC 4180; spans in code points, scores in nats. */
export function csvOf({ influence }: Outcome): string {
  const head = ['part', 'section', 'start', 'length', 'whole target', ...influence.targets];
  const rows = [...influence.prompt, ...influence.target].map((section) => [
    section.part,
    section.text,
    section.start,
    section.length,
    section.total,
    ...section.scores.map((score) => score ?? ''),
  ]);
  return [head, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n');
}

function quoted(value: string | number): string {
  const text = String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Request and answer as they crossed the contract, so that the answer can be had again. */
export function jsonOf({ question, modelVersion, explanations }: Outcome, model: string): string {
  const response = { model_version: modelVersion, explanations };
  return JSON.stringify({ request: requestOf(question, model), response }, null, 2);
}
