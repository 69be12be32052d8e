import { type Cell, csvText } from '../files/table/csv-text.ts';
import { gridPlace, marginIn, type Section } from './influence.ts';
import { hasEstimates, type Outcome } from './outcome.ts';
import { budgetOf, explainRequestOf } from './question.ts';
import type { ExplanationRecord } from '../client/record.ts';
import { VERSION } from '../contract/description/version.ts';
import type { EngineStatus } from '../stores/status-stores.ts';
import type { ModelFacts } from '../stores/models-store.ts';

/**
 * A row for each section and a column for each target word, RFC 4180; spans in code points, rectangles in shares of the
 * picture's sides, scores in nats as the contract has them. Without a picture there are no columns for rectangles. After the
 * scores each row has the fields of the request, so that rows of several files can be joined. If scores are estimates,
 * `margin` is that of the whole target; 0 is exact.
 */
export function scoresCsv(outcome: Outcome, model: string): string {
  const { influence } = outcome;
  const hasPicture = influence.picture.length > 0;
  const place = ['section', 'start', 'length', ...(hasPicture ? ['left', 'top', 'width', 'height'] : [])];
  const fields = requestFields(outcome, model);
  const hasMargin = hasEstimates(outcome);
  const head = [
    'part',
    ...place,
    'whole target',
    ...influence.targets,
    ...(hasMargin ? ['margin'] : []),
    ...Object.keys(fields),
  ];
  const rows = [...influence.sections, ...influence.target].map((section) => [
    section.part,
    ...placeOf(section, hasPicture),
    section.total * influence.turn,
    ...section.scores.map((score) => (score === null ? '' : score * influence.turn)),
    ...(hasMargin ? [marginIn(section, 'whole') ?? 0] : []),
    ...Object.values(fields),
  ]);
  return csvText([head, ...rows]);
}

/** The request without its prompt, and the model: field names of the contract, and values that fit into a cell. */
export function requestFields({ question, modelVersion, upstream }: Outcome, model: string): Record<string, Cell> {
  const { prompt: _, ...fields } = explainRequestOf(question, model, upstream);
  const cells = Object.entries(fields).map(([name, value]): [string, Cell] => [name, cellOf(value)]);
  const budget = budgetOf(question, upstream);
  return {
    unit: 'nats',
    ...Object.fromEntries(cells),
    ...(budget && { budget }),
    model_version: modelVersion ?? '',
    is_partial: modelVersion === null,
  };
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value) ?? '';
}

function placeOf(section: Section, hasPicture: boolean): Cell[] {
  if (section.part !== 'picture') {
    const { text, start, length } = section;
    return [text, start, length, ...(hasPicture ? ['', '', '', ''] : [])];
  }
  const { left, top, width, height } = section.rect;
  const place = gridPlace(section);
  const name = place ? `row ${place.row}, column ${place.column}` : 'the picture'; // English, as the names of columns are
  return [name, '', '', left, top, width, height];
}

/** Request and answer as they crossed the contract, so that the request can be repeated. */
export function scoresJson({ question, modelVersion, explanations, upstream }: Outcome, model: string): string {
  const response = { model_version: modelVersion, explanations };
  const budget = budgetOf(question, upstream);
  const facts = { unit: 'nats', is_partial: modelVersion === null, ...(budget && { budget }) };
  return JSON.stringify({ ...facts, request: explainRequestOf(question, model, upstream), response }, null, 2);
}

/** Contents of a record besides request and response. */
interface Recording {
  readonly facts: Pick<ModelFacts, 'version' | 'hashes'> | undefined;
  readonly engine: EngineStatus;
  readonly userAgent: string;
  readonly now: Date;
}

/** A complete result as a record, in JSON; null for a partial one, or one with estimates: they are not reproducible. */
export function recordText(outcome: Outcome, model: string, recording: Recording): string | null {
  const { modelVersion: version, question, upstream } = outcome;
  if (version === null || hasEstimates(outcome)) return null;
  const { facts, now, engine, userAgent } = recording;
  const record: ExplanationRecord = {
    lightwell_record: 1,
    recorded_at: now.toISOString(),
    request: explainRequestOf(question, model, upstream),
    response: { model_version: version, explanations: recordedExplanations(outcome) },
    exactness: 'exact',
    model: { name: model, version, files: facts?.version === version ? facts.hashes : null },
    engine: { lightwell: VERSION, backend: engine.kind === 'ready' ? engine.report : null, user_agent: userAgent },
  };
  return JSON.stringify(record, null, 2);
}

/** Explanations as the contract has them. The page's prompts have no token ids, whose partial scores have another form. */
export function recordedExplanations({ explanations }: Outcome): ExplanationRecord['response']['explanations'] {
  return explanations.map(({ target, items }) => ({
    target,
    items: items.flatMap((item) => (item.type === 'token_ids' ? [] : [item])),
  }));
}
