import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { messageOf } from '../../../../src/contract/failure.ts';
import { ANY_CHARACTER, type CharacterRange, complement, type Node, union } from './characters.ts';
import type { GrammarBuilder } from './grammar.ts';
import { invalidSchema } from './place.ts';

/** Characters of an expression. */
const MAX_SOURCE = 2000;

/**
 * The texts in which a regular expression is found. Assertions other than `^` at the beginning and `$` at the end, back references and
 * properties of Unicode are not served.
 *
 * @param place  of the expression in the request
 * @throws {FailureError} INVALID_REQUEST
 * @source JSON Schema 2020-12, "pattern": ECMA-262 with the flag u, not anchored
 */
export function patternTexts(source: string, place: string, { node }: GrammarBuilder): Node {
  const { characters, elements } = createBuilder(place, node);
  const [start, before, after, end] = [node(), node(), node(), node()];
  start.free.push(before);
  characters(ANY_CHARACTER, before, before);
  characters(ANY_CHARACTER, after, after);
  after.free.push(end);
  end.isEnd = true;
  for (const alternative of parsed(source, place).alternatives) {
    const rest = [...alternative.elements];
    const [isFirst, isLast] = [isAssertion(rest[0], 'start'), isAssertion(rest.at(-1), 'end')];
    const from = node();
    (isFirst ? start : before).free.push(from);
    elements(rest.slice(Number(isFirst), isLast ? -1 : undefined), from).free.push(isLast ? end : after);
  }
  return start;
}

function isAssertion(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind;
}

function parsed(source: string, place: string): AST.Pattern {
  if (source.length > MAX_SOURCE)
    throw invalidSchema(place, `an expression of at most ${MAX_SOURCE} characters`, `${source.length}`);
  try {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    throw invalidSchema(place, 'a regular expression with the flag u', messageOf(error));
  }
}

function createBuilder(place: string, node: () => Node) {
  const known = new Map<AST.Element, readonly CharacterRange[]>();
  const rangesOfElement = (element: AST.Element): readonly CharacterRange[] => {
    const ranges = known.get(element) ?? rangesOf(element, place);
    known.set(element, ranges); // a repeated element has them for each time
    return ranges;
  };
  const characters = (ranges: readonly CharacterRange[], from: Node, to: Node) => void from.next.push({ ranges, to });
  /** @returns the state after the elements */
  const elements = (list: readonly AST.Element[], from: Node): Node =>
    list.reduce((at, each) => element(each, at), from);
  const element = (given: AST.Element, from: Node): Node => {
    const to = node();
    if (given.type === 'Quantifier') repeat(given, from, to);
    else if (given.type === 'CapturingGroup' || (given.type === 'Group' && !given.modifiers))
      for (const alternative of given.alternatives) elements(alternative.elements, from).free.push(to);
    else characters(rangesOfElement(given), from, to);
    return to;
  };
  const repeat = ({ element: repeated, min, max }: AST.Quantifier, from: Node, to: Node) => {
    let at = from;
    for (let times = 0; times < min; times++) at = element(repeated, at);
    if (max === Infinity) {
      const loop = node();
      at.free.push(loop);
      element(repeated, loop).free.push(loop);
      at = loop;
    } else
      for (let times = min; times < max; times++) {
        at.free.push(to);
        at = element(repeated, at);
      }
    at.free.push(to);
  };
  return { characters, elements };
}

/** The characters of a class, or of a single character. @throws {FailureError} INVALID_REQUEST for other parts */
function rangesOf(part: AST.Node, place: string): readonly CharacterRange[] {
  switch (part.type) {
    case 'Character':
      return [[part.value, part.value]];
    case 'CharacterClassRange':
      return [[part.min.value, part.max.value]];
    case 'CharacterClass': {
      const ranges = union((part.elements as readonly AST.Node[]).flatMap((each) => rangesOf(each, place)));
      return part.negate ? complement(ranges) : ranges;
    }
    case 'CharacterSet':
      if (part.kind === 'property') break;
      return part.kind !== 'any' && part.negate ? complement(SETS[part.kind]) : SETS[part.kind];
  }
  const expected = 'characters, classes, groups, quantifiers, ^ at the beginning and $ at the end';
  throw invalidSchema(place, expected, JSON.stringify(part.raw));
}

/** What other expressions abbreviate. @source ECMA-262, "CharacterClassEscape" and "LineTerminator" */
const SETS = {
  any: classOf('[^\\n\\r\\u2028\\u2029]'),
  digit: classOf('[0-9]'),
  space: classOf('[\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]'),
  word: classOf('[0-9A-Z_a-z]'),
};

function classOf(source: string): readonly CharacterRange[] {
  const [element] = parsed(source, source).alternatives[0]?.elements ?? [];
  return element ? rangesOf(element, source) : [];
}
