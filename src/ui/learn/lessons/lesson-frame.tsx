import type { ReactNode } from 'react';
import { type Lesson, LESSONS } from '../../../state/learn/parts.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { numberText } from '../../../words/numbers.ts';
import { Terms } from '../../parts/terms.tsx';
import styles from './lesson.module.css';

/** See `LessonFrame`. */
interface LessonFrameProps {
  readonly lesson: Lesson;
  /** The live example. */
  readonly children: ReactNode;
}

/** A lesson: a few sentences whose terms explain themselves, and a live example. */
export function LessonFrame({ lesson, children }: LessonFrameProps) {
  const words = learnWords();
  const { title, text } = words[lesson];
  return (
    <article className={styles.lesson} data-testid="lesson">
      <p className={styles.number}>{words.lesson(numberText(LESSONS.indexOf(lesson) + 1))}</p>
      <h2 className={styles.title}>{title}</h2>
      {text.map((sentences) => (
        <p key={sentences} className={styles.text}>
          <Terms text={sentences} />
        </p>
      ))}
      {children}
    </article>
  );
}
