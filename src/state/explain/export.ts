import type { Section } from './influence.ts';
import { tileName } from './influence.ts';
import type { Outcome } from './outcome.ts';
import { requestOf } from './question.ts';

/**
 * A row for each section and a column for each target token, RFC 4180; spans in code points, rectangles in shares of the
 * picture's sides, scores in nats as the
 * contract has them. Without a picture there are no columns for rectangles.
 */
export function csvOf({ influence }: Outcome): string {
  const hasPicture = influence.picture.length > 0;
  const place = ['section', 'start', 'length', ...(hasPicture ? ['left', 'top', 'width', 'height'] : [])];
  const head = ['part', ...place, 'whole target', ...influence.targets];
  const rows = [...influence.sections, ...influence.target].map((section) => [
    section.part,
    ...placeOf(section, hasPicture),
    section.total * influence.turn,
    ...section.scores.map((score) => (score === null ? '' : score * influence.turn)),
  ]);
  return [head, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n');
}

function placeOf(section: Section, hasPicture: boolean): (string | number)[] {
  if (section.part !== 'picture') {
    const { text, start, length } = section;
    return [text, start, length, ...(hasPicture ? ['', '', '', ''] : [])];
  }
  const { left, top, width, height } = section.rect;
  return [tileName(section), '', '', left, top, width, height];
}

function quoted(value: string | number): string {
  const text = String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Request and answer as they crossed the contract, so that the request can be repeated. */
export function jsonOf({ question, modelVersion, explanations }: Outcome, model: string): string {
  const response = { model_version: modelVersion, explanations };
  return JSON.stringify({ request: requestOf(question, model), response }, null, 2);
}
