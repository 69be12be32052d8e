import { readFileSync } from 'node:fs';
import { repeatedNameFaults } from './exports.ts';
import type { Fault, Rule, SourceFile } from './source.ts';
import { depthFaults } from './tree.ts';
import { oldWordFaults } from './vocabulary.ts';

/** Rules that the tree does not follow everywhere yet. */
export type Kind = 'repeatedNames' | 'oldWords' | 'deepFolders';

/** What each rule finds. */
const FAULTS: Readonly<Record<Kind, (files: readonly SourceFile[]) => Fault[]>> = {
  repeatedNames: repeatedNameFaults,
  oldWords: oldWordFaults,
  deepFolders: depthFaults,
};

/** Where the exceptions are listed. */
export const ALLOWED_FILE = new URL('allowed.json', import.meta.url);

/** Exceptions by rule. */
export type Allowed = Readonly<Record<Kind, readonly string[]>>;

/** The exceptions as `allowed.json` lists them. */
export function readAllowed(): Allowed {
  return JSON.parse(readFileSync(ALLOWED_FILE, 'utf8'));
}

/**
 * Refuses what is not among the exceptions, and an exception that is not needed any more: the list only gets shorter.
 *
 * @param allowed  keys of faults
 */
export function ruleWithExceptions(kind: Kind, allowed: readonly string[]): Rule {
  return (files) => {
    const faults = FAULTS[kind](files);
    const keys = new Set(faults.map(({ key }) => key));
    return [
      ...faults.filter(({ key }) => !allowed.includes(key)).map(({ key, message }) => `${key}: ${message}`),
      ...allowed
        .filter((key) => !keys.has(key))
        .map((key) => `${key}: take it from allowed.json (npm run structure -- --shrink)`),
    ];
  };
}

/** The exceptions that are still needed; none is added. */
export function shrunk(allowed: Allowed, files: readonly SourceFile[]): Allowed {
  const needed = (kind: Kind): string[] => {
    const keys = new Set(FAULTS[kind](files).map(({ key }) => key));
    return allowed[kind].filter((key) => keys.has(key));
  };
  return {
    repeatedNames: needed('repeatedNames'),
    oldWords: needed('oldWords'),
    deepFolders: needed('deepFolders'),
  };
}
