import type { z } from 'zod';
import { shortText, shown } from '../../contract/shown.ts';

type Issue = z.core.$ZodIssue;

const MAX_REPORTED = 3;
/** Characters of a path: its keys come from outside. */
const MAX_PATH = 200;

/**
 * The problems of a body as text, `path: expected …, got …`, the first few joined by `; `.
 *
 * @param error  of a parse with `reportInput: true`, which names the received values
 * @param whole  the path of the value itself
 */
export function problemIn(error: z.core.$ZodError, whole = 'body'): string {
  return error.issues
    .flatMap((issue) => leaves(issue, []))
    .slice(0, MAX_REPORTED)
    .map(({ path, issue }) => `${pathText(path, whole)}: expected ${expectation(issue)}, got ${receivedText(issue)}`)
    .join('; ');
}

/** A union's problem is that of the intended branch: the one that fails deeper than at its own type or a missing field. */
function leaves(
  issue: Issue,
  above: readonly PropertyKey[],
): { readonly path: readonly PropertyKey[]; readonly issue: Issue }[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => !branch.some(isOtherBranch));
    if (meant) return meant.flatMap((inner) => leaves(inner, path));
  }
  return [{ path, issue }];
}

function isOtherBranch({ path, input }: Issue): boolean {
  return path.length === 0 || (path.length === 1 && input === undefined);
}

function pathText(path: readonly PropertyKey[], whole: string): string {
  if (path.length === 0) return whole;
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return shortText(text.replace(/^\./, ''), MAX_PATH);
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeText(issue.expected);
    case 'invalid_value':
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(shown).join(', ')}`;
    case 'too_small':
      return bound(issue.origin, issue.minimum, '≥', 'at least');
    case 'too_big':
      return bound(issue.origin, issue.maximum, '≤', 'at most');
    case 'invalid_union':
      return 'options' in issue ? `one of ${issue.options?.map(shown).join(', ')}` : unionText(issue);
    case 'unrecognized_keys':
      return `no field ${issue.keys.slice(0, MAX_REPORTED).map(shown).join(', ')}`;
    default:
      return issue.message;
  }
}

/** Only fields of `notServed` are expected to be null alone. */
function typeText(expected: string): string {
  if (expected === 'null') return 'null, because this operation does not serve this field';
  if (expected === 'int') return 'a whole number';
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
}

/** zod's text for a union that has none of its own. */
const UNION_MESSAGE = 'Invalid input';

function unionText({ errors, message }: Extract<Issue, { code: 'invalid_union' }>): string {
  if (message !== UNION_MESSAGE) return message;
  return errors.flatMap(([first]) => (first ? [expectation(first)] : [])).join(' or ');
}

function bound(origin: string, limit: number | bigint, sign: string, words: string): string {
  if (origin === 'string') return limit === 1 ? 'a non-empty string' : `${words} ${limit} characters`;
  if (origin === 'array') return limit === 1 ? 'a non-empty array' : `${words} ${limit} items`;
  return `a number ${sign} ${limit}`;
}

/** Of a list or a text that is too long, the length is more useful than the beginning. */
function receivedText(issue: Issue): string {
  const { code, input } = issue;
  if (code === 'too_big' && Array.isArray(input)) return `${input.length} items`;
  return code === 'too_big' && typeof input === 'string' ? `${input.length}` : shown(received(issue));
}

/** An unknown discriminator is reported with the whole object as its input; its value is what was wrong. */
function received(issue: Issue): unknown {
  const key = issue.path.at(-1);
  const { input } = issue;
  const isDiscriminator = issue.code === 'invalid_union' && 'options' in issue && typeof key === 'string';
  return isDiscriminator && typeof input === 'object' && input !== null ? Reflect.get(input, key) : input;
}
