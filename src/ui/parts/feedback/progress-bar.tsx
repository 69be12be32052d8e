import styles from './progress-bar.module.css';

/** Progress from 0 to 1; an endless animation while the share is unknown. */
export function ProgressBar({ label, share }: { readonly label: string; readonly share: number | null }) {
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share !== null && { 'aria-valuenow': Math.round(share * 100) })}
    >
      <div
        className={share === null ? styles.endless : styles.bar}
        style={{ transform: share === null ? undefined : `scaleX(${share})` }}
      />
    </div>
  );
}
