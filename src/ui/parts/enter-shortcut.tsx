import { useEffect, useEffectEvent } from 'react';
import { partsWords } from '../../words/en/parts.ts';
import styles from './enter-shortcut.module.css';

/** ⌘ or Ctrl with Enter does it, wherever the focus is; a key that is held down does it once. */
export function useEnterShortcut(action: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** The keys of `useEnterShortcut`, as the reader's keyboard names them. */
export function EnterKeys() {
  const isApple = /Mac|iP/.test(navigator.platform);
  return <kbd className={styles.keys}>{partsWords().enterKeys[isApple ? 'apple' : 'other']}</kbd>;
}
