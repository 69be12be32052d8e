import { describe, expect, it } from 'vitest';
import { opensKeyMap } from '../../../../src/app/header.tsx';
import { KEY_ROWS } from '../../../../src/app/keys/key-dialog.tsx';
import { PAGES } from '../../../../src/stores/page-store.ts';
import { keysWords } from '../../../../src/app/keys/words.en.ts';

const PRESSED = { key: '?', ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false };

describe('opensKeyMap', () => {
  it('is the question mark', () => expect(opensKeyMap(PRESSED, false)).toBe(true));

  it.each([
    ['in a text', PRESSED, true],
    ['another key', { ...PRESSED, key: '/' }, false],
    ['with Ctrl', { ...PRESSED, ctrlKey: true }, false],
    ['where something else took it', { ...PRESSED, defaultPrevented: true }, false],
  ])('is not: %s', (_name, pressed, isTyping) => expect(opensKeyMap(pressed, isTyping)).toBe(false));
});

describe('the keys', () => {
  it('have a name and say what they do, each thing once on a page', () => {
    for (const page of PAGES) {
      const rows = [...KEY_ROWS.everywhere, ...(KEY_ROWS[page] ?? [])];
      expect(new Set(rows.map(({ does }) => does)).size).toBe(rows.length);
      for (const { does, ways } of rows) {
        expect(keysWords()[does]).not.toBe('');
        for (const key of ways.flat()) expect(keysWords().names[key]).not.toBe('');
      }
    }
  });
});
