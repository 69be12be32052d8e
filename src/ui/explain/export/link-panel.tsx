import { useState } from 'react';
import type { Question } from '../../../state/explain/question.ts';
import { hashOf, sharedOf } from '../../../state/explain/opening/share-link.ts';
import { exportWords } from '../../../words/en/explain/export.ts';
import { CopyButton } from '../../parts/buttons.tsx';
import styles from './export-dialog.module.css';

/** Base64 characters; mail programs and chats cut longer links off. */
const LINKED_PICTURE = 24_000;

/** A link to this page that holds the settings, and the texts only where that is agreed. */
export function LinkPanel({ question }: { readonly question: Question }) {
  const [text, setText] = useState(false);
  const [picture, setPicture] = useState(false);
  const isLarge = (question.picture?.data.length ?? 0) > LINKED_PICTURE;
  const words = exportWords().link;
  const link = () => new URL(hashOf(sharedOf(question, { text, picture })), location.href).href;
  return (
    <>
      <p className={styles.note}>{words.about}</p>
      <Agreement label={words.text} isOn={text} onChange={setText} />
      {question.picture && (
        <Agreement
          label={isLarge ? words.pictureTooLarge : words.picture}
          isOn={text && picture}
          isOff={!text || isLarge}
          onChange={setPicture}
        />
      )}
      <output className={styles.link} data-testid="link">
        {link()}
      </output>
      <div className={styles.actions}>
        <CopyButton key={link()} label={words.copy} text={link} />
      </div>
    </>
  );
}

interface AgreementProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isOff?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Agreement({ label, isOn, isOff = false, onChange }: AgreementProps) {
  return (
    <label className={styles.agreement}>
      <input type="checkbox" checked={isOn} disabled={isOff} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
