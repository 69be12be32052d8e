import { describe, expect, it } from 'vitest';
import { isEnterShortcut, keyOf } from '../../../src/parts/buttons.tsx';

const ENTER = { key: 'Enter', keyCode: 13, isComposing: false, ctrlKey: false, metaKey: false };
const press = (changes: Partial<typeof ENTER>) => ({ ...ENTER, ...changes }) as KeyboardEvent;

/** The Enter that ends a composition: in Chromium and Firefox, and in Safari, which has ended it by then. */
const COMPOSING = [
  ['before the composition has ended', press({ isComposing: true, ctrlKey: true })],
  ['after it, with the key code of an input method', press({ keyCode: 229, ctrlKey: true })],
] as const;

describe('keyOf', () => {
  it('is the key of an event of the browser or of React', () => {
    expect(keyOf(press({}))).toBe('Enter');
    const nativeEvent = press({ key: 'Escape' });
    expect(keyOf({ nativeEvent } as Parameters<typeof keyOf>[0])).toBe('Escape');
  });

  it.each(COMPOSING)('is empty %s', (_name, event) => {
    expect(keyOf(event)).toBe('');
    expect(keyOf({ nativeEvent: event } as Parameters<typeof keyOf>[0])).toBe('');
  });
});

describe('isEnterShortcut', () => {
  it('is Enter with Ctrl or ⌘', () => {
    expect(isEnterShortcut(press({ ctrlKey: true }))).toBe(true);
    expect(isEnterShortcut(press({ metaKey: true }))).toBe(true);
    expect(isEnterShortcut(press({}))).toBe(false);
    expect(isEnterShortcut(press({ key: 'a', ctrlKey: true }))).toBe(false);
  });

  it.each(COMPOSING)('is not %s', (_name, event) => expect(isEnterShortcut(event)).toBe(false));
});
