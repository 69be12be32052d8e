import type { Phase } from '../../../state/explain/opening/opened.ts';
import { boundText } from '../../parts/fields/bound-text.ts';

/** What the service says of a request that it refuses. */
export type Problem = Pick<Extract<Phase, { kind: 'failed' }>['problem'], 'code' | 'message'>;

interface FieldEntry {
  readonly label: string;
  /** Paths of the contract that the field fills. */
  readonly paths: RegExp;
}

/** The fields of the page, by the id of their element: what they are called, and what of the request they fill. */
export const FIELDS = {
  prompt: { label: 'Prompt', paths: /^prompt\b/ },
  target: { label: 'Target', paths: /^target$/ },
  granularity: { label: 'Split prompt by', paths: /^prompt_granularity(\.type)?$/ },
  delimiter: { label: 'Split at', paths: /^prompt_granularity\.delimiter$/ },
  factor: { label: 'Attention strength', paths: /^control_factor$/ },
  scaling: { label: 'How attention is scaled', paths: /^control_log_additive$/ },
  overlap: { label: 'Partly covered tokens', paths: /^control_token_overlap$/ },
  similarity: { label: 'Also dim similar tokens', paths: /^contextual_control_threshold$/ },
  'target-parts': { label: 'Explain the target', paths: /^target_granularity$/ },
  model: { label: 'Model', paths: /^model$/ },
} as const satisfies Readonly<Record<string, FieldEntry>>;
export type FieldName = keyof typeof FIELDS;

/** What is wrong with a field, in the words of the page. */
export interface FieldProblem {
  readonly field: FieldName;
  readonly text: string;
}

const NAMES = Object.keys(FIELDS) as FieldName[]; // `Object.keys` forgets the names
const REFUSAL = /^(?<path>[^:]+): expected (?<expected>.+?), got (?<got>.*)$/s;
/** The service joins refusals; texts inside of them rarely look like a path. */
const BETWEEN = /; (?=[\w.[\] ]+: expected )/;

/** The fields that a problem belongs to, in the order in which the service names them; none where it belongs to none. */
export function fieldProblems({ message }: Problem): FieldProblem[] {
  return message.split(BETWEEN).flatMap((refusal) => {
    const { path, expected = '', got = '' } = REFUSAL.exec(refusal)?.groups ?? {};
    const field = NAMES.find((name) => path !== undefined && FIELDS[name].paths.test(path));
    return path === undefined || !field ? [] : [{ field, text: textOf(field, path, expected, got) }];
  });
}

/** Refusals of one form, and what a person makes of them. */
type Wording = readonly [form: RegExp, text: (label: string, about: About) => string];

interface About {
  readonly path: string;
  readonly got: string;
  /** What the form's parentheses hold. */
  readonly parts: readonly string[];
}

const counted = (digits = '') => Number(digits).toLocaleString('en');

const WORDINGS: readonly Wording[] = [
  [/^at most (\d+) tokens$/, (_, about) => lengthText(about)],
  [/^at least one token$/, (label) => `Enter a ${label.toLowerCase()}.`],
  [/^a non-empty string/, (label) => `${label}: enter at least one character.`],
  [
    /^well-formed Unicode$/,
    (label) => `${label}: one character is damaged (half of a surrogate pair). Delete it, or paste the text again.`,
  ],
  [/^text or token ids/, () => 'This model reads no pictures. Remove the picture, or choose another model.'],
  [
    /^a picture of at most (\d+) pixels$/,
    (_, { parts: [most] }) => `The picture is too large: at most ${counted(most)} pixels.`,
  ],
  [/^(base64|a PNG|a whole|a picture|a \w+ file)/, () => 'The picture is damaged. Remove it, or choose another one.'],
  [
    /^controls whose factors on one token multiply to at most (\d+)$/,
    (_, { parts: [most] }) => `Attention strengths on one word multiply to at most ${counted(most)}.`,
  ],
  [/^one of /, (label, { got }) => (label === FIELDS.model.label ? `No model named ${quoted(got)}.` : notTaken(label))],
  [/^one that /, () => 'This model cannot explain. Choose another one.'],
];

function textOf(field: FieldName, path: string, expected: string, got: string): string {
  const { label } = FIELDS[field];
  for (const [form, text] of WORDINGS) {
    const match = form.exec(expected);
    if (match) return text(label, { path, got, parts: match.slice(1) });
  }
  return boundText(label, `expected ${expected}`) ?? notTaken(label);
}

function notTaken(label: string): string {
  return `${label}: this value is not accepted. Choose another one.`;
}

function quoted(got: string): string {
  return `‘${got.replaceAll('"', '')}’`;
}

function lengthText({ path, got, parts: [limit] }: About): string {
  const tokens = /\d+/.exec(got)?.[0];
  const about = got.startsWith('at least') ? 'at least' : 'about';
  const subject = path === 'prompt and target' ? 'Prompt and target have' : `The ${path.replace(/\W.*/s, '')} has`;
  return `${subject} ${about} ${counted(tokens)} tokens; this model reads up to ${counted(limit)}.`;
}
