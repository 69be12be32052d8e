import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { messageOf } from '../../../../src/contract/failure.ts';
import { createNode, type Node } from './automaton.ts';
import { ANY_CHARACTER, type CharacterRange, complement, intersection, union } from './characters.ts';
import { invalidSchema } from './place.ts';

/** Characters of an expression. */
const MAX_SOURCE = 2000;

/** States of an expression. */
const MAX_NODES = 20_000;

/** A state, with states that are reached only at the beginning or the end of the text. */
interface Draft extends Node {
  readonly asserted: { readonly kind: 'start' | 'end'; readonly to: Draft }[];
  readonly next: { readonly ranges: readonly CharacterRange[]; readonly to: Draft }[];
  readonly free: Draft[];
}

/**
 * The texts in which a regular expression is found. Assertions other than `^` and `$`, back references and properties of Unicode are
 * not served.
 *
 * @param place  of the expression in the request
 * @throws {FailureError} INVALID_REQUEST
 * @source JSON Schema 2020-12, "pattern": ECMA-262 with the flag u, not anchored
 */
export function patternTexts(source: string, place: string): Node {
  const builder = createBuilder(place);
  const [start, from, to, end] = [builder.node(), builder.node(), builder.node(), builder.node()];
  builder.characters(ANY_CHARACTER, start, start);
  start.free.push(from);
  builder.alternatives(parsed(source, place).alternatives, from, to);
  to.free.push(end);
  builder.characters(ANY_CHARACTER, end, end);
  end.isEnd = true;
  return withoutAssertions(start);
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

/** @source ECMA-262, "CharacterClassEscape" and "LineTerminator" */
const SETS: Readonly<Record<'any' | 'digit' | 'space' | 'word', readonly CharacterRange[]>> = {
  any: complement([
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ]),
  digit: [[0x30, 0x39]],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
};

function createBuilder(place: string) {
  let count = 0;
  const refuse = ({ raw }: AST.Node) =>
    invalidSchema(place, 'an expression of characters, classes, groups, quantifiers, ^ and $', JSON.stringify(raw));
  const node = (): Draft => {
    if (count++ === MAX_NODES)
      throw invalidSchema(place, `an expression of at most ${MAX_NODES} states`, 'a larger one');
    return { isEnd: false, next: [], free: [], asserted: [] };
  };
  const characters = (ranges: readonly CharacterRange[], from: Draft, to: Draft) =>
    void from.next.push({ ranges: intersection(ranges, ANY_CHARACTER), to });
  const alternatives = (list: readonly AST.Alternative[], from: Draft, to: Draft) => {
    for (const { elements } of list) {
      const last = elements.reduce((at, each) => element(each, at), from);
      last.free.push(to);
    }
  };
  /** @returns the state after the element */
  const element = (given: AST.Element, from: Draft): Draft => {
    const to = node();
    if (given.type === 'Quantifier') repeat(given, from, to);
    else if (given.type === 'Group' && given.modifiers) throw refuse(given);
    else if (given.type === 'Group' || given.type === 'CapturingGroup') alternatives(given.alternatives, from, to);
    else if (given.type === 'Assertion' && (given.kind === 'start' || given.kind === 'end'))
      from.asserted.push({ kind: given.kind, to });
    else characters(rangesOf(given, refuse), from, to);
    return to;
  };
  const repeat = ({ element: repeated, min, max }: AST.Quantifier, from: Draft, to: Draft) => {
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
  return { node, characters, alternatives };
}

/** The characters of a class, or of a single character. @throws what `refuse` makes of other parts */
function rangesOf(part: AST.Node, refuse: (part: AST.Node) => Error): readonly CharacterRange[] {
  switch (part.type) {
    case 'Character':
      return [[part.value, part.value]];
    case 'CharacterClassRange':
      return [[part.min.value, part.max.value]];
    case 'CharacterClass': {
      const ranges = union((part.elements as readonly AST.Node[]).flatMap((each) => rangesOf(each, refuse)));
      return part.negate ? complement(ranges) : ranges;
    }
    case 'CharacterSet':
      if (part.kind === 'property') throw refuse(part);
      return part.kind !== 'any' && part.negate ? complement(SETS[part.kind]) : SETS[part.kind];
    default:
      throw refuse(part);
  }
}

/** Nothing was read; something was; nothing more may be read. */
type Phase = 0 | 1 | 2;

/** The same automaton, with a state for each phase of the reading instead of assertions. */
function withoutAssertions(start: Draft): Node {
  const made = new Map<Draft, Map<Phase, Node>>();
  const waiting: { readonly draft: Draft; readonly phase: Phase; readonly node: Node }[] = [];
  const at = (draft: Draft, phase: Phase): Node => {
    const known = made.get(draft) ?? new Map<Phase, Node>();
    made.set(draft, known);
    const node = known.get(phase) ?? createNode(draft.isEnd);
    if (!known.has(phase)) waiting.push({ draft, phase, node });
    known.set(phase, node);
    return node;
  };
  const first = at(start, 0);
  for (const { draft, phase, node } of waiting) {
    if (phase < 2) for (const { ranges, to } of draft.next) node.next.push({ ranges, to: at(to, 1) });
    for (const to of draft.free) node.free.push(at(to, phase));
    for (const { kind, to } of draft.asserted)
      if (kind === 'end' || phase === 0) node.free.push(at(to, kind === 'end' ? 2 : 0));
  }
  return first;
}
