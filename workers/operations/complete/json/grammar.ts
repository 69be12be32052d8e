import { type ByteRange, type CharacterRange, jsonCharacters, type Node } from './characters.ts';
import { invalidSchema } from './place.ts';

/** A state of a grammar over bytes: what may follow. */
export interface State {
  readonly id: number;
  /** Transitions that read one of several symbols. */
  readonly symbols: { readonly options: readonly ByteSymbol[]; readonly next: State }[];
  /** States that are reached without a byte. */
  readonly free: State[];
  /** Transitions that read a text of a rule. */
  readonly calls: { readonly rule: Rule; readonly next: State }[];
}

/** A byte of a range, and after it a text of a rule. */
export interface ByteSymbol {
  readonly range: ByteRange;
  readonly rest?: Rule;
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
  const state = (): State => {
    if (states.length === MAX_STATES) throw tooLarge(MAX_STATES);
    const made = { id: states.length, symbols: [], free: [], calls: [] };
    states.push(made);
    return made;
  };
  const rules: Rule[] = [];
  const rule = (body: Part = () => undefined): Rule => {
    const made = { start: state(), end: state() };
    rules.push(made);
    body(made.start, made.end);
    return made;
  };
  const symbolsOf = createSymbols(state, rule);
  return {
    state,
    /** A state of an automaton over characters, which leads nowhere yet. */
    node(): Node {
      if (nodes++ === MAX_NODES) throw tooLarge(MAX_NODES);
      return { isEnd: false, next: [], free: [] };
    },
    rule,
    sequence: (...parts: readonly Part[]) => sequenceOf(parts, state),
    /** One of some words, which share the states of their beginnings. */
    words: (words: readonly string[]) => wordsPart(words, state),
    /** A character inside a text of JSON. */
    character:
      (ranges: readonly CharacterRange[]): Part =>
      (from, next) =>
        from.symbols.push({ options: symbolsOf(ranges), next }),
    /**
     * Takes away the transitions after which no text of a rule can be finished, so that every beginning of a text can be.
     *
     * @returns whether some text begins at a state
     */
    prune: (): ((state: State) => boolean) => prune(states, rules),
  };
}

/** The symbols of characters inside a text of JSON, made once for each set. */
function createSymbols(state: () => State, rule: (body: Part) => Rule) {
  const known = new Map<unknown, readonly ByteSymbol[]>(); // by the ranges, and by their text
  const newSymbols = (ranges: readonly CharacterRange[]): readonly ByteSymbol[] =>
    grouped(jsonCharacters(ranges)).map(([range, rests]) => {
      if (rests.every(({ length }) => length === 0)) return { range };
      return { range, rest: rule(either(rests.map((rest) => sequenceOf(rest.map(bytePart), state)))) };
    });
  return (ranges: readonly CharacterRange[]): readonly ByteSymbol[] => {
    const found = known.get(ranges);
    if (found) return found;
    const key = ranges.join();
    const symbols = known.get(key) ?? newSymbols(ranges);
    known.set(key, symbols).set(ranges, symbols);
    return symbols;
  };
}

function prune(states: readonly State[], rules: readonly Rule[]): (state: State) => boolean {
  const live = liveStates(states, rules);
  for (const { symbols, free, calls } of states) {
    retain(symbols, ({ next }) => live.has(next));
    retain(free, (next) => live.has(next));
    retain(calls, ({ rule: { start }, next }) => live.has(start) && live.has(next));
  }
  return (state) => live.has(state);
}

/** One of several parts. */
export function either(parts: readonly Part[]): Part {
  return (from, to) => parts.forEach((part) => part(from, to));
}

/** A text of a rule. */
export function call(rule: Rule): Part {
  return (from, next) => from.calls.push({ rule, next });
}

/** A byte of a range. */
export function bytePart(range: ByteRange): Part {
  return (from, next) => from.symbols.push({ options: [{ range }], next });
}

/** Sequences by their first range, with what follows it in each. */
function grouped(sequences: readonly (readonly ByteRange[])[]) {
  const groups = new Map<string, [first: ByteRange, rests: (readonly ByteRange[])[]]>();
  for (const [first, ...rest] of sequences) {
    if (!first) continue;
    const group = groups.get(first.join()) ?? [first, []];
    group[1].push(rest);
    groups.set(first.join(), group);
  }
  return [...groups.values()];
}

function sequenceOf(parts: readonly Part[], state: () => State): Part {
  return (from, to) => {
    if (parts.length === 0) from.free.push(to);
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
      if (!known) bytePart([byte, byte])(parent, child);
      children.set(key, child);
      return child;
    };
    for (const word of words) utf8.encode(word).reduce<State>(childOf, from).free.push(to);
  };
}

/** The states from which the end of their rule is reached. A call is passed only where the text of its rule can end. */
function liveStates(states: readonly State[], rules: readonly Rule[]): ReadonlySet<State> {
  const before = new Map<State, { readonly state: State; readonly called: State | undefined }[]>();
  const link = (state: State, next: State, called?: State) =>
    void (before.get(next)?.push({ state, called }) ?? before.set(next, [{ state, called }]));
  for (const state of states) {
    for (const { options, next } of state.symbols) if (options.length > 0) link(state, next);
    for (const next of state.free) link(state, next);
    for (const { rule, next } of state.calls) link(state, next, rule.start);
  }
  const live = new Set(rules.map(({ end }) => end));
  const waiting = new Map<State, State[]>(); // states before calls of rules whose start is not live yet
  // The set grows while it is read.
  for (const reached of live) {
    for (const state of waiting.get(reached) ?? []) live.add(state);
    for (const { state, called } of before.get(reached) ?? [])
      if (!called || live.has(called)) live.add(state);
      else waiting.set(called, [...(waiting.get(called) ?? []), state]);
  }
  return live;
}

function retain<Value>(list: Value[], test: (value: Value) => boolean): void {
  list.splice(0, list.length, ...list.filter(test));
}
