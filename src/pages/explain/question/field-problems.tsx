import { useEffect } from 'react';
import { boundText } from '../../../parts/fields/bound-text.ts';
import { problemWords } from '../../../parts/words.en.ts';
import { useStoreValue } from '../../../stores/use-stores.ts';
import { numberText } from '../../../words/language.ts';
import styles from './problem.module.css';

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

/** The label of a field. */
export function fieldLabel(field: FieldName): string {
  return problemWords().fields[field];
}

const NAMES = Object.keys(PATHS) as FieldName[]; // `Object.keys` forgets the names
const REFUSAL = /^(?<path>[^:]+): expected (?<expected>.+?), got (?<got>.*)$/s;
/** Between two refusals that the service has joined; texts inside them rarely look like a path. */
const BETWEEN = /; (?=[\w.[\] ]+: expected )/;

/** The fields that a problem is about, in the order of the service, with what is wrong in the words of the page; may be empty. */
export function fieldProblems({ message }: { readonly message: string }) {
  return message.split(BETWEEN).flatMap((refusal) => {
    const { path, expected = '', got = '' } = REFUSAL.exec(refusal)?.groups ?? {};
    const field = NAMES.find((name) => path !== undefined && PATHS[name].test(path));
    return path === undefined || !field ? [] : [{ field, text: textOf(field, path, expected, got) }];
  });
}

type Words = ReturnType<typeof problemWords>['wrong'];

interface Refusal {
  readonly field: FieldName;
  readonly path: string;
  readonly got: string;
  readonly parts: readonly string[];
}

const counted = (digits = '') => numberText(Number(digits));

const WORDINGS: readonly (readonly [form: RegExp, text: (words: Words, refusal: Refusal) => string])[] = [
  [/^at most (\d+) tokens$/, lengthText],
  [/^at least one token$/, (words, { field }) => words.enter(fieldLabel(field))],
  [/^a non-empty string/, (words, { field }) => words.noCharacter(fieldLabel(field))],
  [/^well-formed Unicode$/, (words, { field }) => words.damagedText(fieldLabel(field))],
  [/^text or token ids/, (words) => words.noPictures],
  [/^a picture of at most (\d+) pixels$/, (words, { parts: [most] }) => words.largePicture(counted(most))],
  [/^(base64|a PNG|a whole|a picture|a \w+ file)/, (words) => words.damagedPicture],
  [
    /^one of /,
    (words, { field, got }) =>
      field === 'model' ? words.unknownModel(got.replaceAll('"', '')) : words.notTaken(fieldLabel(field)),
  ],
  [/^one that /, (words) => words.cannotExplain],
];

function textOf(field: FieldName, path: string, expected: string, got: string): string {
  const words = problemWords().wrong;
  for (const [form, text] of WORDINGS) {
    const match = form.exec(expected);
    if (match) return text(words, { field, path, got, parts: match.slice(1) });
  }
  return boundText(fieldLabel(field), `expected ${expected}`) ?? words.notTaken(fieldLabel(field));
}

function lengthText(words: Words, { field, path, got, parts: [limit] }: Refusal): string {
  const { subjects } = words;
  const subject = path === 'prompt and target' ? subjects.both : field === 'target' ? subjects.target : subjects.prompt;
  const tokens = counted(/\d+/.exec(got)?.[0]);
  return (got.startsWith('at least') ? words.muchTooLong : words.tooLong)(subject, tokens, counted(limit));
}

/** The problem of the newest request; null while there is none. */
function useProblem() {
  return useStoreValue('explain', ({ phase }) => (phase.kind === 'failed' ? phase.problem : null));
}

/** What is wrong with some of the fields. */
export function useProblemsIn(fields: readonly FieldName[]) {
  const problem = useProblem();
  return problem ? fieldProblems(problem).filter(({ field }) => fields.includes(field)) : [];
}

/** Attributes of the element of a field: its id, whether it is wrong, and the ids of what describes it. */
export function useFieldMark(field: FieldName, describedBy = '') {
  const isWrong = useProblemsIn([field]).length > 0;
  const ids = isWrong ? `${describedBy} ${idOfNote(field)}`.trim() : describedBy;
  return { id: field, 'aria-invalid': isWrong, ...(ids !== '' && { 'aria-describedby': ids }) };
}

const idOfNote = (field: FieldName) => `${field}-problem`;

/** What is wrong with a field. The first wrong one takes the focus and is scrolled to. */
export function FieldNote({ field }: { readonly field: FieldName }) {
  const problem = useProblem();
  const problems = problem ? fieldProblems(problem) : [];
  const text = problems.find((one) => one.field === field)?.text;
  const isFirst = problems[0]?.field === field;
  useEffect(() => {
    if (problem && isFirst) showField(field);
  }, [problem, isFirst, field]);
  if (text === undefined) return null;
  return (
    <p className={styles.note} id={idOfNote(field)} role="alert" data-testid={idOfNote(field)}>
      {text}
    </p>
  );
}

/** Moves focus and window to a field: an element that takes text, or a group of radio buttons. */
export function showField(field: FieldName): void {
  const element = document.getElementById(field);
  const control = element?.matches('input, textarea, select') ? element : element?.querySelector<HTMLElement>(CHOSEN);
  control?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'center' });
}

const CHOSEN = ':checked, input';
