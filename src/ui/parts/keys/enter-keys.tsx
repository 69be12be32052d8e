import styles from './enter-keys.module.css';

/** The keys of `useEnterShortcut`, as the reader's keyboard names them. */
export function EnterKeys() {
  const isApple = /Mac|iP/.test(navigator.platform);
  return <kbd className={styles.keys}>{isApple ? '⌘ Return' : 'Ctrl Enter'}</kbd>;
}
