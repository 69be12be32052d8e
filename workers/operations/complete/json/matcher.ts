import type { Rule, State } from './grammar.ts';
import { invalidSchema } from './place.ts';

/** A call of a rule. */
interface Frame {
  readonly rule: Rule;
  /** What follows its text; null for the rule of the whole text. */
  readonly after: { readonly state: State; readonly frame: Frame } | null;
  /** Calls from its states, by rule and what follows. */
  readonly calls: Map<number, Frame>;
  /** Its positions, by their states. */
  readonly positions: Map<number, Position>;
}

/** A state in a call. */
interface Position {
  readonly id: number;
  readonly state: State;
  readonly frame: Frame;
}

/** All positions that a text may have reached. */
export interface Positions {
  readonly all: readonly Position[];
  /** Whether the text may end. */
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

/** Positions and calls, each made once. */
function createPositions() {
  let ids = 0;
  const frameOf = (rule: Rule, after: Frame['after']): Frame => ({
    rule,
    after,
    calls: new Map(),
    positions: new Map(),
  });
  return {
    frameOf,
    positionOf(state: State, frame: Frame): Position {
      const position = frame.positions.get(state.id) ?? { id: ids++, state, frame };
      frame.positions.set(state.id, position);
      return position;
    },
    callOf(rule: Rule, after: NonNullable<Frame['after']>): Frame {
      const key = rule.start.id * 2 ** 20 + after.state.id;
      const frame = after.frame.calls.get(key) ?? frameOf(rule, after);
      after.frame.calls.set(key, frame);
      return frame;
    },
  };
}

/** Forgets what was found from some positions on, but not the positions themselves. */
function forget({ all, next }: Positions): void {
  next.length = 0;
  for (const { frame: inner } of all)
    for (let frame: Frame | undefined = inner; frame; frame = frame.after?.frame) {
      frame.calls.clear();
      frame.positions.clear();
    }
}

/**
 * Reads texts of a rule byte by byte. Sets of positions are found once and kept: a finite automaton that is made as it is needed.
 *
 * @param place  of the schema in the request
 * @throws {FailureError} INVALID_REQUEST, also from its functions, for a schema that takes too many steps
 * @source Thompson 1968, "Regular expression search algorithm"; calls and returns with a stack
 */
export function createMatcher(rule: Rule, place: string) {
  const { positionOf, callOf, frameOf } = createPositions();
  const kept = new Map<string, Positions>();
  let visits = 0;
  const reached = (seeds: readonly Position[]): Positions | null => {
    const found = new Set(seeds);
    let mayEnd = false;
    // The set grows while it is read.
    for (const { state, frame } of found) {
      if (found.size > MAX_POSITIONS || visits++ > MAX_VISITS)
        throw invalidSchema(place, 'a schema that tells soon which texts it allows', 'one that takes too many steps');
      for (const next of state.free) found.add(positionOf(next, frame));
      for (const call of state.calls)
        found.add(positionOf(call.rule.start, callOf(call.rule, { state: call.next, frame })));
      if (state !== frame.rule.end) continue;
      if (frame.after) found.add(positionOf(frame.after.state, frame.after.frame));
      else mayEnd = true;
    }
    const all = [...found].filter(({ state }) => state.symbols.length > 0);
    return all.length === 0 && !mayEnd ? null : sameAsKept({ all, mayEnd, next: [] });
  };
  const sameAsKept = (positions: Positions): Positions => {
    const ids = positions.all.map(({ id }) => id).toSorted((a, b) => a - b);
    const key = `${positions.mayEnd} ${ids.join()}`;
    const known = kept.get(key) ?? positions;
    kept.set(key, known);
    return known;
  };
  const nextOf = ({ all }: Positions, byte: number): Positions | null => {
    const seeds: Position[] = [];
    for (const { state, frame } of all)
      for (const { options, next } of state.symbols) {
        visits += options.length;
        for (const { range, rest } of options)
          if (range[0] <= byte && byte <= range[1])
            seeds.push(rest ? positionOf(rest.start, callOf(rest, { state: next, frame })) : positionOf(next, frame));
      }
    return seeds.length === 0 ? null : reached(seeds);
  };
  const start = reached([positionOf(rule.start, frameOf(rule, null))]);
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
      forget(positions);
    },
  };
}
