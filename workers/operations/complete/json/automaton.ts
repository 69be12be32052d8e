import { ANY_CHARACTER, type CharacterRange, complement, intersection, type Node } from './characters.ts';
import type { GrammarBuilder, Part, State } from './grammar.ts';

/** Texts of a length in code points. @param most  Infinity: of any length from `least` on */
export function lengths(least: number, most: number, { node }: GrammarBuilder): Node {
  const start = node();
  start.isEnd = least === 0;
  let at = start;
  for (let length = 1; length <= (most === Infinity ? least : most); length++) {
    const to = node();
    to.isEnd = length >= least;
    at.next.push({ ranges: ANY_CHARACTER, to });
    at = to;
  }
  if (most === Infinity) at.next.push({ ranges: ANY_CHARACTER, to: at });
  return start;
}

/** Texts that are none of some words. */
export function otherThan(words: readonly string[], grammar: GrammarBuilder): Node {
  const start = grammar.node();
  start.isEnd = !words.includes('');
  const codes = new Set(words.filter((word) => word !== '').map((word) => word.codePointAt(0) ?? 0));
  for (const code of codes) {
    const first = String.fromCodePoint(code);
    const rests = words.filter((word) => word.startsWith(first)).map((word) => word.slice(first.length));
    start.next.push({ ranges: [[code, code]], to: otherThan(rests, grammar) });
  }
  const known = [...codes].toSorted((a, b) => a - b).map((code): CharacterRange => [code, code]);
  start.next.push({ ranges: complement(known), to: lengths(0, Infinity, grammar) });
  return start;
}

/** The texts that all automata read, as JSON writes their characters, without quotes. */
export function textPart(automata: readonly Node[], { state, character }: GrammarBuilder): Part {
  return (from, to) => {
    const found = new Map<string, { readonly nodes: readonly Node[]; readonly at: State }>();
    const stateOf = (nodes: readonly Node[]): State => {
      const key = nodes.map(({ id }) => id).join();
      const known = found.get(key) ?? { nodes, at: state() };
      found.set(key, known);
      return known.at;
    };
    from.free.push(stateOf(automata));
    // The map grows while it is read.
    for (const { nodes, at } of found.values()) {
      if (nodes.every(({ isEnd }) => isEnd)) at.free.push(to);
      for (const [index, { free }] of nodes.entries())
        for (const node of free) at.free.push(stateOf(nodes.with(index, node)));
      for (const step of stepsOf(nodes)) character(step.ranges)(at, stateOf(step.nodes));
    }
  };
}

const known = new WeakMap<object, WeakMap<object, readonly CharacterRange[]>>();

/** Characters that are in both of two sets, found once for each pair. */
function common(a: readonly CharacterRange[], b: readonly CharacterRange[]): readonly CharacterRange[] {
  if (a === ANY_CHARACTER) return b;
  const others = known.get(a) ?? new WeakMap<object, readonly CharacterRange[]>();
  const both = others.get(b) ?? intersection(a, b);
  known.set(a, others.set(b, both));
  return both;
}

interface Step {
  readonly ranges: readonly CharacterRange[];
  readonly nodes: readonly Node[];
}

/** Where a character leads that all automata read. */
function stepsOf(nodes: readonly Node[]): readonly Step[] {
  return nodes.reduce<readonly Step[]>(
    (steps, { next }) =>
      steps.flatMap((step) =>
        next
          .map(({ ranges, to }) => ({ ranges: common(step.ranges, ranges), nodes: [...step.nodes, to] }))
          .filter(({ ranges }) => ranges.length > 0),
      ),
    [{ ranges: ANY_CHARACTER, nodes: [] }],
  );
}
