import { readMarkdown } from '../markdown.ts';
import type { SourceFile } from '../../source.ts';

/** A line of a shell block. */
export interface Command {
  /** The document that shows it. */
  readonly path: string;
  /** Without its comment. */
  readonly line: string;
}

/**
 * Run whole by tests of their own: `test/e2e/recipes` carries the recipes out, `test/e2e/transports/documents.spec.ts` the
 * blocks of `docs/api.md`.
 */
const RUN_WHOLE = /^docs\/(recipes\/.*|api)\.md$/;

/** The commands that documents show in blocks of `sh`, each once. */
export function commandsOf(files: readonly SourceFile[]): Command[] {
  const commands = files
    .filter(({ path }) => path.endsWith('.md') && !RUN_WHOLE.test(path))
    .flatMap(({ path, text }) => linesOf(text).map((line) => ({ path, line })));
  return [...new Map(commands.map((command) => [command.line, command])).values()];
}

/** Lines that a backslash joins are one command. */
function linesOf(text: string): string[] {
  return readMarkdown(text)
    .blocks.filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.replaceAll(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
