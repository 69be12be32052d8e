import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

/** The key code of every key press that an input method handles. */
const INPUT_METHOD = 229;

/**
 * The key that was pressed; empty while an input method composes a text, as for Japanese: then Enter ends the composition and
 * Escape discards it. Safari ends a composition before it reports the key, so the key code is checked too.
 *
 * @source UI Events (W3C), `isComposing` and section 7.3.1; WebKit bug 165004
 */
export function keyOf(event: KeyboardEvent | ReactKeyboardEvent): string {
  const { key, keyCode, isComposing } = 'nativeEvent' in event ? event.nativeEvent : event;
  return isComposing || keyCode === INPUT_METHOD ? '' : key;
}

/** Whether ⌘ or Ctrl was pressed with Enter. */
export function isEnterShortcut(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  return keyOf(event) === 'Enter' && (event.metaKey || event.ctrlKey);
}
