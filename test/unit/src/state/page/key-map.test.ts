import { describe, expect, it } from 'vitest';
import { EVERYWHERE, keysOf, opensMap } from '../../../../../src/state/page/key-map.ts';
import { PAGES } from '../../../../../src/state/page/page-store.ts';
import { KEYS } from '../../../../../src/words/en/keys.ts';

const PRESSED = { key: '?', ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false };

describe('opensMap', () => {
  it('is the question mark', () => expect(opensMap(PRESSED, false)).toBe(true));

  it.each([
    ['in a text', PRESSED, true],
    ['another key', { ...PRESSED, key: '/' }, false],
    ['with Ctrl', { ...PRESSED, ctrlKey: true }, false],
    ['where something else took it', { ...PRESSED, defaultPrevented: true }, false],
  ])('is not: %s', (_name, pressed, isTyping) => expect(opensMap(pressed, isTyping)).toBe(false));
});

describe('the keys', () => {
  it('have a name and say what they do, each thing once on a page', () => {
    for (const page of PAGES) {
      const rows = [...EVERYWHERE, ...keysOf(page)];
      expect(new Set(rows.map(({ does }) => does)).size).toBe(rows.length);
      for (const { does, ways } of rows) {
        expect(KEYS[does]).not.toBe('');
        for (const key of ways.flat()) expect(KEYS.names[key]).not.toBe('');
      }
    }
  });
});
