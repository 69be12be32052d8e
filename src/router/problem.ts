import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const MAX_REPORTED = 3;
const MAX_SHOWN = 60;

/**
 * What is wrong with a body: `path: expected …, got …`, the first few problems joined by `; `.
 *
 * @param error  of a parse with `reportInput: true`, else the value that came cannot be named
 */
export function problemIn(error: z.core.$ZodError): string {
  return error.issues
    .flatMap((issue) => leaves(issue, []))
    .slice(0, MAX_REPORTED)
    .map(({ path, issue }) => `${pathText(path)}: expected ${expectation(issue)}, got ${shown(received(issue))}`)
    .join('; ');
}

interface Leaf {
  readonly path: readonly PropertyKey[];
  readonly issue: Issue;
}

/** A union's problem is that of the branch that was meant: the one that fails deeper than at its own type. */
function leaves(issue: Issue, above: readonly PropertyKey[]): Leaf[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => !branch.some((inner) => inner.path.length === 0));
    if (meant) return meant.flatMap((inner) => leaves(inner, path));
  }
  return [{ path, issue }];
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : `${article(issue.expected)} ${issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(shown).join(', ')}`;
    case 'too_small':
      return bound(issue.origin, issue.minimum, '≥', 'at least');
    case 'too_big':
      return bound(issue.origin, issue.maximum, '≤', 'at most');
    case 'invalid_union':
      return 'options' in issue ? `one of ${issue.options?.map(shown).join(', ')}` : unionText(issue);
    default:
      return issue.message;
  }
}

function unionText({ errors }: Extract<Issue, { code: 'invalid_union' }>): string {
  return errors.flatMap(([first]) => (first ? [expectation(first)] : [])).join(' or ');
}

function bound(origin: string, limit: number | bigint, sign: string, words: string): string {
  if (origin === 'string') return limit === 1 ? 'a non-empty string' : `${words} ${limit} characters`;
  if (origin === 'array') return limit === 1 ? 'a non-empty array' : `${words} ${limit} items`;
  return `a number ${sign} ${limit}`;
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}

/** An unknown discriminator is reported with the whole object as its input; its value is what was wrong. */
function received(issue: Issue): unknown {
  const key = issue.path.at(-1);
  const { input } = issue;
  const isDiscriminator = issue.code === 'invalid_union' && 'options' in issue && typeof key === 'string';
  return isDiscriminator && typeof input === 'object' && input !== null ? Reflect.get(input, key) : input;
}

/** A value as JSON, shortened; what JSON cannot hold is named. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
