// @ts-check
import { runnerImport } from 'vite';

/**
 * Tables of the records of one evaluation, in Markdown.
 *
 * @param {readonly import('./records.mjs').Line[]} lines
 * @returns {Promise<string>}
 */
export async function tablesOf(lines) {
  const { module } = await runnerImport('./evaluation/sets/budget/tables.ts', { configFile: false, logLevel: 'error' });
  return /** @type {typeof import('../sets/budget/tables.ts')} */ (module).budgetTables(lines);
}
