import { useId, useState } from 'react';
import { settingsWords } from '../../words/en/settings.ts';
import { Button, CopyButton } from '../parts/buttons.tsx';
import { focusOn } from '../parts/focus.ts';
import { useStoreValue } from '../use-stores.ts';
import styles from './settings-page.module.css';

/** The bearer token: hidden until asked for, and replaceable. */
export function TokenField() {
  const id = useId();
  const words = settingsWords().token;
  const token = useStoreValue('settings', (state) => state.token);
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {words.label}
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
          {isShown ? words.hide : words.show}
        </Button>
        <CopyButton label={words.copy} text={() => token} />
      </div>
      <p className={styles.hint}>{words.hint}</p>
      <ReplaceToken />
    </div>
  );
}

const REPLACE = 'replace-token';

/** Asks for confirmation: every program with the old token is refused afterwards. */
function ReplaceToken() {
  const words = settingsWords().token;
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
          {words.replace}
        </Button>
        <span className={styles.outcome} data-kind="saved" aria-live="polite">
          {step === 'done' && words.replaced}
        </span>
      </div>
      {step === 'asked' && (
        <div className={styles.row} role="group" aria-label={words.replaceTitle}>
          <span className={styles.hint}>{words.replaceWarning}</span>
          <Button onClick={() => end('done')}>{words.replaceNow}</Button>
          <Button look="quiet" onClick={() => end('rest')}>
            {words.cancel}
          </Button>
        </div>
      )}
    </>
  );
}
