import type { ComponentType } from 'react';
import '../explain/result/heat/influence.css';
import { type Lesson, lessonIn, LESSONS } from '../../state/learn/parts.ts';
import { hashOfPart } from '../../state/page/page-store.ts';
import { learnWords } from '../../words/en/learn.ts';
import { numberText } from '../../words/numbers.ts';
import { Page } from '../parts/layout/page.tsx';
import { useStoreValue } from '../use-stores.ts';
import { AttentionLesson } from './lessons/attention-lesson.tsx';
import { GranularityLesson } from './lessons/granularity-lesson.tsx';
import { TokensLesson } from './lessons/tokens-lesson.tsx';
import styles from './learn-page.module.css';

const CONTENTS: Readonly<Record<Lesson, ComponentType>> = {
  tokens: TokensLesson,
  attention: AttentionLesson,
  granularity: GranularityLesson,
};

/** Five lessons, one at a time: each has an address of its own. */
export function LearnPage() {
  const words = learnWords();
  const lesson = lessonIn(useStoreValue('page', (state) => state.part));
  const Content = CONTENTS[lesson];
  return (
    <Page title={words.title} claim={words.claim}>
      <div className={styles.columns}>
        <LessonList current={lesson} />
        <Content key={lesson} />
      </div>
    </Page>
  );
}

function LessonList({ current }: { readonly current: Lesson }) {
  const words = learnWords();
  return (
    <nav className={styles.list} aria-label={words.lessons}>
      <ol>
        {LESSONS.map((lesson, index) => (
          <li key={lesson}>
            <a href={hashOfPart('learn', lesson)} aria-current={lesson === current ? 'true' : undefined}>
              <span className={styles.number} aria-hidden>
                {numberText(index + 1)}
              </span>
              {words[lesson].short}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
