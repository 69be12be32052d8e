import { problemWords } from '../../../words/en/explain/problem.ts';
import { numberText } from '../../../words/numbers.ts';
import type { Phase } from '../../../state/explain/opening/opened.ts';
import { boundText } from '../../parts/fields/bound-text.ts';

/** What the service says of a request that it refuses. */
export type Problem = Pick<Extract<Phase, { kind: 'failed' }>['problem'], 'code' | 'message'>;

/** The fields of the page, by the id of their element, and the paths of the contract that they fill. */
const PATHS = {
  prompt: /^prompt\b/,
  target: /^target$/,
  granularity: /^prompt_granularity(\.type)?$/,
  delimiter: /^prompt_granularity\.delimiter$/,
  factor: /^control_factor$/,
  scaling: /^control_log_additive$/,
  overlap: /^control_token_overlap$/,
  similarity: /^contextual_control_threshold$/,
  'target-parts': /^target_granularity$/,
  model: /^model$/,
} as const satisfies Readonly<Record<string, RegExp>>;
export type FieldName = keyof typeof PATHS;

/** What a field is called. */
export function fieldLabel(field: FieldName): string {
  return problemWords().fields[field];
}

/** What is wrong with a field, in the words of the page. */
export interface FieldProblem {
  readonly field: FieldName;
  readonly text: string;
}

const NAMES = Object.keys(PATHS) as FieldName[]; // `Object.keys` forgets the names
const REFUSAL = /^(?<path>[^:]+): expected (?<expected>.+?), got (?<got>.*)$/s;
/** The service joins refusals; texts inside of them rarely look like a path. */
const BETWEEN = /; (?=[\w.[\] ]+: expected )/;

/** The fields that a problem belongs to, in the order in which the service names them; none where it belongs to none. */
export function fieldProblems({ message }: Problem): FieldProblem[] {
  return message.split(BETWEEN).flatMap((refusal) => {
    const { path, expected = '', got = '' } = REFUSAL.exec(refusal)?.groups ?? {};
    const field = NAMES.find((name) => path !== undefined && PATHS[name].test(path));
    return path === undefined || !field ? [] : [{ field, text: textOf(field, path, expected, got) }];
  });
}

/** Refusals of one form, and what a person makes of them. */
type Wording = readonly [form: RegExp, text: (words: Words, about: About) => string];
type Words = ReturnType<typeof problemWords>['wrong'];

interface About {
  readonly field: FieldName;
  readonly path: string;
  readonly got: string;
  /** What the form's parentheses hold. */
  readonly parts: readonly string[];
}

const counted = (digits = '') => numberText(Number(digits));

const WORDINGS: readonly Wording[] = [
  [/^at most (\d+) tokens$/, lengthText],
  [/^at least one token$/, (words, { field }) => words.enter(fieldLabel(field))],
  [/^a non-empty string/, (words, { field }) => words.noCharacter(fieldLabel(field))],
  [/^well-formed Unicode$/, (words, { field }) => words.damagedText(fieldLabel(field))],
  [/^text or token ids/, (words) => words.noPictures],
  [/^a picture of at most (\d+) pixels$/, (words, { parts: [most] }) => words.largePicture(counted(most))],
  [/^(base64|a PNG|a whole|a picture|a \w+ file)/, (words) => words.damagedPicture],
  [
    /^controls whose factors on one token multiply to at most (\d+)$/,
    (words, { parts: [most] }) => words.strongControls(counted(most)),
  ],
  [/^one of /, (words, { field, got }) => (field === 'model' ? words.unknownModel(bare(got)) : notTaken(field))],
  [/^one that /, (words) => words.cannotExplain],
];

function textOf(field: FieldName, path: string, expected: string, got: string): string {
  for (const [form, text] of WORDINGS) {
    const match = form.exec(expected);
    if (match) return text(problemWords().wrong, { field, path, got, parts: match.slice(1) });
  }
  return boundText(fieldLabel(field), `expected ${expected}`) ?? notTaken(field);
}

function notTaken(field: FieldName): string {
  return problemWords().wrong.notTaken(fieldLabel(field));
}

/** Without the quotation marks of the contract. */
function bare(got: string): string {
  return got.replaceAll('"', '');
}

function lengthText(words: Words, { field, path, got, parts: [limit] }: About): string {
  const { subjects } = words;
  const subject = path === 'prompt and target' ? subjects.both : field === 'target' ? subjects.target : subjects.prompt;
  const tokens = counted(/\d+/.exec(got)?.[0]);
  return (got.startsWith('at least') ? words.muchTooLong : words.tooLong)(subject, tokens, counted(limit));
}
