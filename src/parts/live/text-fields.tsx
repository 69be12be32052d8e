import { useId } from 'react';
import { liveWords } from './words.en.ts';
import { visibleText } from '../../words/language.ts';
import { GrowingTextarea } from '../fields/growing-textarea.tsx';
import { LabelRow } from '../fields/choice.tsx';
import styles from './live.module.css';

/** The texts of a live example. */
export interface LessonTexts {
  readonly prompt: string;
  readonly target: string;
}

/** A text to change. */
export function TextField(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly testId: string;
  readonly onChange: (value: string) => void;
}) {
  const { label, hint, value, testId, onChange } = props;
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

/** A prompt and a target to change. */
export function QuestionFields(props: {
  readonly asked: LessonTexts;
  readonly onEdit: (change: Partial<LessonTexts>) => void;
  /** Left out: Target. */
  readonly targetLabel?: string;
}) {
  const { asked, onEdit, targetLabel } = props;
  const words = liveWords();
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
export function hasQuestion({ prompt, target }: LessonTexts): boolean {
  return prompt !== '' && target !== '';
}
