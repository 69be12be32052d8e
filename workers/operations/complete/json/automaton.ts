import { ANY_CHARACTER, type CharacterRange, complement, intersection } from './characters.ts';
import type { GrammarBuilder, Part, State } from './grammar.ts';

/** A state of a finite automaton over characters. */
export interface Node {
  isEnd: boolean;
  /** States that a character of the ranges leads to. */
  readonly next: { readonly ranges: readonly CharacterRange[]; readonly to: Node }[];
  /** States that are reached without a character. */
  readonly free: Node[];
}

/** A state that leads nowhere yet. */
export function createNode(isEnd = false): Node {
  return { isEnd, next: [], free: [] };
}

/** Texts of a length in code points. @param most  Infinity: of any length from `least` on */
export function lengths(least: number, most: number): Node {
  const start = createNode(least === 0);
  let at = start;
  for (let length = 1; length <= (most === Infinity ? least : most); length++) {
    const to = createNode(length >= least);
    at.next.push({ ranges: ANY_CHARACTER, to });
    at = to;
  }
  if (most === Infinity) at.next.push({ ranges: ANY_CHARACTER, to: at });
  return start;
}

/** Texts that are none of some words. */
export function otherThan(words: readonly string[]): Node {
  const start = createNode(!words.includes(''));
  const codes = new Set(words.filter((word) => word !== '').map((word) => word.codePointAt(0) ?? 0));
  for (const code of codes) {
    const first = String.fromCodePoint(code);
    const rests = words.filter((word) => word.startsWith(first)).map((word) => word.slice(first.length));
    start.next.push({ ranges: [[code, code]], to: otherThan(rests) });
  }
  const known = [...codes].toSorted((a, b) => a - b).map((code): CharacterRange => [code, code]);
  start.next.push({ ranges: complement(known), to: lengths(0, Infinity) });
  return start;
}

/** The texts that all automata read, as JSON writes their characters, without quotes. */
export function textPart(automata: readonly Node[], { state, character }: GrammarBuilder): Part {
  return (from, to) => {
    const ids = new Map<Node, number>();
    const idOf = (node: Node) => {
      const id = ids.get(node) ?? ids.size;
      ids.set(node, id);
      return id;
    };
    const found = new Map<string, { readonly nodes: readonly Node[]; readonly at: State }>();
    const stateOf = (nodes: readonly Node[]): State => {
      const key = nodes.map(idOf).join();
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

interface Step {
  readonly ranges: readonly CharacterRange[];
  readonly nodes: readonly Node[];
}

/** Where a character leads that all automata read. */
function stepsOf(nodes: readonly Node[]): readonly Step[] {
  return nodes.reduce<readonly Step[]>(
    (steps, { next }) =>
      steps.flatMap((step) =>
        next.flatMap(({ ranges, to }) => {
          const common = intersection(step.ranges, ranges);
          return common.length > 0 ? [{ ranges: common, nodes: [...step.nodes, to] }] : [];
        }),
      ),
    [{ ranges: ANY_CHARACTER, nodes: [] }],
  );
}
