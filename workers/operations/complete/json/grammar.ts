import { type CharacterRange, escapes, type Node, plain } from './characters.ts';
import { invalidSchema } from './place.ts';

/** Bytes from the least to the most. */
type ByteRange = readonly [least: number, most: number];

/** A state of a grammar over bytes: what may follow. */
export interface State {
  readonly id: number;
  /** Whether a text of its rule may end here. */
  readonly isEnd: boolean;
  /** Transitions that read a byte of a range. */
  readonly symbols: { readonly range: ByteRange; readonly next: State }[];
  /** States that are reached without a byte. */
  readonly free: State[];
  /** Transitions that read a text of a rule. */
  readonly calls: { readonly rule: Rule; readonly next: State }[];
}

/** A part of a grammar that several places share; it may contain itself. */
export interface Rule {
  readonly start: State;
  readonly end: State;
}

/** Adds what may be written between two states. */
export type Part = (from: State, to: State) => void;

/** States of a grammar: a text of bounded length has one for each of its characters. */
const MAX_STATES = 50_000;

/** States of the automata that texts of a grammar are made of. */
const MAX_NODES = 200_000;

/** Builds a grammar. */
export type GrammarBuilder = ReturnType<typeof createGrammar>;

/** @param place  of the schema, for the failure of one that is too large */
export function createGrammar(place: string) {
  const states: State[] = [];
  let nodes = 0;
  const tooLarge = (most: number) => invalidSchema(place, `a schema of at most ${most} states`, 'a larger one');
  const newState = (isEnd: boolean): State => {
    if (states.length === MAX_STATES) throw tooLarge(MAX_STATES);
    const made = { id: states.length, isEnd, symbols: [], free: [], calls: [] };
    states.push(made);
    return made;
  };
  const state = () => newState(false);
  const rule = (body: Part = () => undefined): Rule => {
    const made = { start: state(), end: newState(true) };
    body(made.start, made.end);
    return made;
  };
  const sequence = (...parts: readonly Part[]) => sequenceOf(parts, state);
  const words = (list: readonly string[]) => wordsPart(list, state);
  const between = (...words: Words) => betweenPart(words, state);
  const characters = new Map<unknown, Rule>(); // by the ranges, and by their text
  return {
    state,
    /** A state of an automaton over characters, which leads nowhere yet. */
    node(): Node {
      if (nodes++ === MAX_NODES) throw tooLarge(MAX_NODES);
      return { id: nodes, isEnd: false, next: [], free: [] };
    },
    rule,
    sequence,
    /** One of some words, which share the states of their beginnings. */
    words,
    /** Words of as many bytes from `low` to `high`; after the first byte that differs each is from that of `least` to that of `most`. */
    between,
    /** A character inside a text of JSON, by a rule that is made once for each set. */
    character(ranges: readonly CharacterRange[]): Part {
      const key = characters.has(ranges) ? ranges : ranges.join();
      const build = () =>
        rule(either([words(escapes(ranges)), ...plain(ranges).map((range) => between(...utf8Words(range)))]));
      const known = characters.get(key) ?? build();
      characters.set(key, known).set(ranges, known);
      return call(known);
    },
    /** Drops transitions after which no text can be finished. @returns the states at which some text begins */
    prune(): ReadonlySet<State> {
      const live = liveStates(states);
      for (const { symbols, free, calls } of states) {
        retain(symbols, ({ next }) => live.has(next));
        retain(free, (next) => live.has(next));
        retain(calls, ({ rule: { start }, next }) => live.has(start) && live.has(next));
      }
      return live;
    },
  };
}

/** One of several parts. */
export function either(parts: readonly Part[]): Part {
  return (from, to) => parts.forEach((part) => part(from, to));
}

/** A text of a rule. */
export function call(rule: Rule): Part {
  return (from, next) => from.calls.push({ rule, next });
}

function sequenceOf(parts: readonly Part[], state: () => State): Part {
  return (from, to) => {
    let at = from;
    for (const [index, part] of parts.entries()) {
      const next = index === parts.length - 1 ? to : state();
      part(at, next);
      at = next;
    }
  };
}

const utf8 = new TextEncoder();

function wordsPart(words: readonly string[], state: () => State): Part {
  return (from, to) => {
    const children = new Map<string, State>();
    const childOf = (parent: State, byte: number): State => {
      const key = `${parent.id} ${byte}`;
      const known = children.get(key);
      const child = known ?? state();
      if (!known) parent.symbols.push({ range: [byte, byte], next: child });
      children.set(key, child);
      return child;
    };
    for (const word of words) utf8.encode(word).reduce<State>(childOf, from).free.push(to);
  };
}

type Words = readonly [low: Uint8Array, high: Uint8Array, least: Uint8Array, most: Uint8Array];

function utf8Words([first, last]: CharacterRange): Words {
  const [low, high] = [utf8.encode(String.fromCodePoint(first)), utf8.encode(String.fromCodePoint(last))];
  return [low, high, low.map(() => 0x80), low.map(() => 0xbf)];
}

function betweenPart([low, high, least, most]: Words, state: () => State): Part {
  const differ = (a: Uint8Array, b: Uint8Array, index: number) => a.some((byte, at) => at >= index && byte !== b[at]);
  return (from, to) => {
    const known = new Map<string, State>();
    /** The state before a byte. @param isLow  whether `low` bounds the bytes from there on */
    const before = (index: number, isLow: boolean, isHigh: boolean): State => {
      const key = `${index} ${isLow} ${isHigh}`;
      const at = index === low.length ? to : (known.get(key) ?? state());
      if (at !== to && !known.has(key)) link(at, index, isLow, isHigh);
      known.set(key, at);
      return at;
    };
    const link = ({ symbols }: State, index: number, isLow: boolean, isHigh: boolean): void => {
      const [first, last] = [(isLow ? low : least)[index] ?? 0, (isHigh ? high : most)[index] ?? 0];
      const [isLower, isUpper] = [isLow && differ(low, least, index + 1), isHigh && differ(high, most, index + 1)];
      const add = (range: ByteRange, ...bounded: readonly [boolean, boolean]) =>
        range[0] <= range[1] && symbols.push({ range, next: before(index + 1, ...bounded) });
      if (first === last) return void add([first, last], isLower, isUpper);
      if (isLower) add([first, first], true, false);
      add([first + Number(isLower), last - Number(isUpper)], false, false);
      if (isUpper) add([last, last], false, true);
    };
    link(from, 0, true, true);
  };
}

/** The states from which the end of their rule is reached. */
function liveStates(states: readonly State[]): ReadonlySet<State> {
  const before = states.map((): { readonly state: State; readonly needs: readonly State[] }[] => []);
  const link = (state: State, ...needs: readonly State[]) =>
    needs.forEach((need) => before[need.id]?.push({ state, needs }));
  for (const state of states) {
    for (const { next } of state.symbols) link(state, next);
    for (const next of state.free) link(state, next);
    for (const { rule, next } of state.calls) link(state, rule.start, next);
  }
  const live = new Set(states.filter(({ isEnd }) => isEnd));
  // The set grows while it is read.
  for (const reached of live)
    for (const { state, needs } of before[reached.id] ?? []) if (needs.every((need) => live.has(need))) live.add(state);
  return live;
}

function retain<Value>(list: Value[], test: (value: Value) => boolean): void {
  list.splice(0, list.length, ...list.filter(test));
}
