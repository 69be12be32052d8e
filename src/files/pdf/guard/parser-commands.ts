import { COMMANDS } from './page-commands.ts';
import { type CommandReport, graphicsOn, type ParserPage, type Stream, type TextState } from './graphics-state.ts';

/** pdf.js's reader of commands. */
interface CommandReader {
  readonly parser: { readonly lexer: { readonly stream: Stream } };
  readonly stateManager: { readonly state: object };
  preprocessCommand(command: number, args: unknown[] | null): void;
}

const { defineProperty } = Object;
const pages = new WeakMap<object, ParserPage>();
const watched = new WeakSet<object>();
let report: (report: CommandReport) => void = () => undefined;

/**
 * Follows the commands of pages while pdf.js reads their text, of which it knows places and fonts alone. Text that may not be
 * seen gets an item of its own, with the name of its font changed; text outside the page, which pdf.js leaves out, and the places of
 * pictures are reported. Lists of properties that marked content names are put in place of their names.
 *
 * @returns restores the globals
 * @source pdfjs-dist 5.6.205, `EvaluatorPreprocessor` and `Page`; ISO 32000-1, sections 8.4, 9.3.6 and 14.6.2
 */
export function watchCommands(given: (report: CommandReport) => void): () => void {
  report = given;
  // pdf.js exports neither of its two classes, but keeps values of both that it has computed.
  const defined = (object: object, key: PropertyKey, descriptor: PropertyDescriptor) => {
    if (key === 'opMap' && 'prototype' in object) watchReader(object.prototype as CommandReader, descriptor.value);
    if (key === 'view' && 'pageDict' in object) watchPages(Object.getPrototypeOf(object) as ParserPage);
    return defineProperty(object, key, descriptor);
  };
  Object.assign(Object, { defineProperty: defined });
  return () => void Object.assign(Object, { defineProperty });
}

function watchPages(prototype: ParserPage): void {
  if (watched.has(prototype)) return;
  watched.add(prototype);
  const { getContentStream } = prototype;
  prototype.getContentStream = async function (this: ParserPage) {
    const stream = await getContentStream.call(this);
    if (stream) pages.set(stream.dict ?? stream, this);
    this.report = report;
    return stream;
  };
}

/** @param commands  by their names; null for the beginnings of names */
function watchReader(
  prototype: CommandReader,
  commands: Readonly<Record<string, { readonly id: number } | null>>,
): void {
  if (watched.has(prototype)) return;
  watched.add(prototype);
  const names = new Map(Object.entries(commands).map(([name, command]) => [command?.id, name]));
  const { preprocessCommand } = prototype;
  prototype.preprocessCommand = function (this: CommandReader, command, args) {
    const { stream } = this.parser.lexer;
    const page = pages.get(stream.dict ?? stream);
    const before = this.stateManager.state; // `q` clones it
    if (page && isOfText(before)) before.graphics ??= graphicsOn(page);
    preprocessCommand.call(this, command, args);
    const { state } = this.stateManager;
    const name = names.get(command) ?? '';
    if (isOfText(state) && state.graphics)
      COMMANDS[name]?.({ state, graphics: state.graphics, stream, args: args ?? [] });
  };
}

/** Lists of what is drawn have another kind of state. */
function isOfText(state: object): state is TextState {
  return 'textMatrix' in state;
}
