import type { Rule, State } from './grammar.ts';
import { invalidSchema } from './place.ts';

/** A state that a text may have reached, and where it goes on after the rule of that state. Each is made once. */
interface Position {
  readonly id: number;
  readonly state: State;
  /** Null in the rule of the whole text. */
  readonly after: Position | null;
  /** Positions in the rules that are called before this one, by their states. */
  readonly called: Map<State, Position>;
}

/** All positions that a text may have reached. */
export interface Positions {
  readonly all: readonly Position[];
  readonly mayEnd: boolean;
  /** By the next byte; null: no text goes on so. */
  readonly next: (Positions | null)[];
}

/** Positions and symbols that are looked at for one token: below a second. */
const MAX_VISITS = 5_000_000;

/** Positions that a text may have reached at once. */
const MAX_POSITIONS = 5000;

/** Sets of positions that are kept. */
const MAX_KEPT = 5000;

/**
 * Reads texts of a rule byte by byte. Sets of positions are found once and kept: a finite automaton that is made as it is needed.
 *
 * @param place  of the schema in the request
 * @throws {FailureError} INVALID_REQUEST, also from its functions, for a schema that takes too many steps
 * @source Thompson 1968, "Regular expression search algorithm"; calls and returns with a stack
 */
export function createMatcher(rule: Rule, place: string) {
  let ids = 0;
  let visits = 0;
  const whole = new Map<State, Position>(); // in the rule of the whole text
  const kept = new Map<string, Positions>();
  const positionOf = (state: State, after: Position | null): Position => {
    const known = after?.called ?? whole;
    const position = known.get(state) ?? { id: ids++, state, after, called: new Map() };
    known.set(state, position);
    return position;
  };
  const reached = (seeds: readonly Position[]): Positions | null => {
    const found = new Set(seeds);
    let mayEnd = false;
    // The set grows while it is read.
    for (const { state, after } of found) {
      if (found.size > MAX_POSITIONS || visits++ > MAX_VISITS)
        throw invalidSchema(place, 'a schema that tells soon which texts it allows', 'one that takes too many steps');
      for (const next of state.free) found.add(positionOf(next, after));
      for (const call of state.calls) found.add(positionOf(call.rule.start, positionOf(call.next, after)));
      if (!state.isEnd) continue;
      if (after) found.add(after);
      else mayEnd = true;
    }
    const all = [...found].filter(({ state }) => state.symbols.length > 0);
    if (all.length === 0 && !mayEnd) return null;
    const key = `${mayEnd} ${all.map(({ id }) => id).toSorted((a, b) => a - b)}`;
    const known = kept.get(key) ?? { all, mayEnd, next: [] };
    kept.set(key, known);
    return known;
  };
  const nextOf = ({ all }: Positions, byte: number): Positions | null => {
    const seeds: Position[] = [];
    for (const { state, after } of all) {
      visits += state.symbols.length;
      for (const { range, next } of state.symbols)
        if (range[0] <= byte && byte <= range[1]) seeds.push(positionOf(next, after));
    }
    return seeds.length === 0 ? null : reached(seeds);
  };
  const start = reached([positionOf(rule.start, null)]);
  if (!start) throw invalidSchema(place, 'a schema that some text meets', 'one that none meets');
  return {
    /** Before the first byte. */
    start,
    /** Where a byte leads; null: no text goes on so. */
    step(positions: Positions, byte: number): Positions | null {
      const known = positions.next[byte];
      return known === undefined ? (positions.next[byte] = nextOf(positions, byte)) : known;
    },
    /** Begins the steps for a token; where much was found before, it is forgotten. */
    begin(positions: Positions): void {
      visits = 0;
      if (kept.size <= MAX_KEPT) return;
      kept.clear();
      whole.clear();
      for (const each of [start, positions]) forget(each);
    },
  };
}

function forget({ all, next }: Positions): void {
  next.length = 0;
  for (let { after } of all) for (; after; after = after.after) after.called.clear();
}
