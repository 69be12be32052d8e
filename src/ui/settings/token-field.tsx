import { useId, useState } from 'react';
import { Button, CopyButton } from '../parts/buttons.tsx';
import { focusOn } from '../parts/focus.ts';
import { useStoreValue } from '../use-stores.ts';
import styles from './settings-page.module.css';

/** The bearer token: hidden until asked for, and replaceable. */
export function TokenField() {
  const id = useId();
  const token = useStoreValue('settings', (state) => state.token);
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        Token
      </label>
      <div className={styles.row}>
        <input
          id={id}
          className={styles.input}
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          readOnly
          value={token}
          data-testid="token"
        />
        <Button look="quiet" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </Button>
        <CopyButton label="Copy" text={() => token} />
      </div>
      <p className={styles.hint}>
        Sent as “Authorization: Bearer …”. It never leaves this browser by itself; the local server gets its hash.
      </p>
      <ReplaceToken />
    </div>
  );
}

const REPLACE = 'replace-token';

/** Asks for confirmation: every program with the old token is refused afterwards. */
function ReplaceToken() {
  const replaceToken = useStoreValue('settings', (state) => state.replaceToken);
  const [step, setStep] = useState<'rest' | 'asked' | 'done'>('rest');
  const end = (next: 'rest' | 'done') => {
    focusOn(REPLACE); // the buttons below go
    if (next === 'done') replaceToken();
    setStep(next);
  };
  return (
    <>
      <div className={styles.row}>
        <Button id={REPLACE} aria-expanded={step === 'asked'} onClick={() => setStep('asked')}>
          Replace…
        </Button>
        <span className={styles.outcome} data-kind="saved" aria-live="polite">
          {step === 'done' && 'Replaced'}
        </span>
      </div>
      {step === 'asked' && (
        <div className={styles.row} role="group" aria-label="Replace the token">
          <span className={styles.hint}>Programs that use the old token will be refused.</span>
          <Button onClick={() => end('done')}>Replace token</Button>
          <Button look="quiet" onClick={() => end('rest')}>
            Cancel
          </Button>
        </div>
      )}
    </>
  );
}
