import { describe, expect, it } from 'vitest';
import { type Modules, startChunk, workerStartChunk } from '../../../../server/vite/build-plugins.ts';

/** Which modules import a module at once; entries are imported by none. */
const IMPORTERS: Readonly<Record<string, readonly string[]>> = {
  page: [],
  library: [],
  main: ['page'],
  react: ['main', 'chart'],
  client: ['main', 'library'],
  chart: [],
  axes: ['chart'],
};

const modules = {
  getModuleInfo: (id: string) => ({ importers: IMPORTERS[id] ?? [], isEntry: id === 'page' || id === 'library' }),
} as unknown as Modules; // the two fields that are read

describe('startChunk', () => {
  it.each([
    ['main', 'start'],
    ['react', 'start'],
    ['client', null],
    ['axes', null],
    ['page', null],
    ['library', null],
  ])('puts %s into %s', (id, chunk) => expect(startChunk('page')(id, modules)).toBe(chunk));
});

describe('workerStartChunk', () => {
  it.each([
    ['main', 'worker-start'],
    ['react', 'worker-start'],
    ['axes', null],
    ['page', null],
  ])('puts %s into %s', (id, chunk) => expect(workerStartChunk(id, modules)).toBe(chunk));
});
