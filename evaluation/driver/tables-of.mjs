// @ts-check
import { runnerImport } from 'vite';

/**
 * Tables of the records of one evaluation, in Markdown.
 *
 * @param {readonly import('./records.mjs').Line[]} lines
 * @returns {Promise<string>}
 */
export async function tablesOf(lines) {
  if (lines[0]?.evaluation.startsWith('sinks ')) {
    const agreement = await imported('measures/ranking/deletion-agreement.ts');
    return /** @type {typeof import('../measures/ranking/deletion-agreement.ts')} */ (agreement).agreementTables(lines);
  }
  const budget = await imported('sets/budget/tables.ts');
  return /** @type {typeof import('../sets/budget/tables.ts')} */ (budget).budgetTables(lines);
}

/** @param {string} path  below this folder's parent */
async function imported(path) {
  return (await runnerImport(`./evaluation/${path}`, { configFile: false, logLevel: 'error' })).module;
}
