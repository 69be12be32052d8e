import { useId } from 'react';
import type { Texts } from '../../../state/learn/lessons/asked.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { visibleText } from '../../explain/texts.ts';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../parts/fields/label-row.tsx';
import styles from './live.module.css';

/** See `TextField`. */
interface TextFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly testId: string;
  readonly onChange: (value: string) => void;
}

/** A text to change. */
export function TextField({ label, hint, value, testId, onChange }: TextFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <LabelRow htmlFor={id} label={label}>
        <span className={styles.note}>{hint}</span>
      </LabelRow>
      <GrowingTextarea
        id={id}
        data-testid={testId}
        lang="en"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** See `QuestionFields`. */
interface QuestionFieldsProps {
  readonly asked: Texts;
  readonly onEdit: (change: Partial<Texts>) => void;
  /** Left out: Target. */
  readonly targetLabel?: string;
}

/** A prompt and a target to change. */
export function QuestionFields({ asked, onEdit, targetLabel }: QuestionFieldsProps) {
  const words = learnWords().live;
  const startsWithSpace = visibleText(asked.target).startsWith('␣');
  return (
    <div className={styles.fields}>
      <TextField
        label={words.prompt}
        value={asked.prompt}
        testId="live-prompt"
        onChange={(prompt) => onEdit({ prompt })}
      />
      <TextField
        label={targetLabel ?? words.target}
        hint={startsWithSpace ? words.targetSpace : undefined}
        value={asked.target}
        testId="live-target"
        onChange={(target) => onEdit({ target })}
      />
    </div>
  );
}

/** Whether there is a question to ask. */
export function hasQuestion({ prompt, target }: Texts): boolean {
  return prompt !== '' && target !== '';
}
