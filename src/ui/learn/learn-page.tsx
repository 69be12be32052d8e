import type { ComponentType } from 'react';
import '../explain/result/heat/influence.css';
import { CLASS_PARTS, learnPartIn, type LearnPart, LESSONS } from '../../state/learn/parts.ts';
import { hashOfPart } from '../../state/page/page-store.ts';
import { learnWords } from '../../words/en/learn.ts';
import { numberText } from '../../words/numbers.ts';
import { Page } from '../parts/layout/page.tsx';
import { useStoreValue } from '../use-stores.ts';
import { ExamplesPart } from './class/examples-part.tsx';
import { SetPart } from './class/set-part.tsx';
import { TeacherPart } from './class/teacher-part.tsx';
import { AttentionLesson } from './lessons/attention-lesson.tsx';
import { GranularityLesson } from './lessons/granularity-lesson.tsx';
import { LayersLesson } from './lessons/layers-lesson.tsx';
import { LimitsLesson } from './lessons/limits-lesson.tsx';
import { TokensLesson } from './lessons/tokens-lesson.tsx';
import styles from './learn-page.module.css';

const CONTENTS: Readonly<Record<LearnPart, ComponentType>> = {
  tokens: TokensLesson,
  attention: AttentionLesson,
  granularity: GranularityLesson,
  layers: LayersLesson,
  limits: LimitsLesson,
  examples: ExamplesPart,
  teacher: TeacherPart,
  set: SetPart,
};

/** Five lessons and what a class needs, one at a time: each has an address of its own. */
export function LearnPage() {
  const words = learnWords();
  const part = learnPartIn(useStoreValue('page', (state) => state.part));
  const Content = CONTENTS[part];
  return (
    <Page title={words.title} claim={words.claim}>
      <div className={styles.columns}>
        <Parts current={part} />
        <Content key={part} />
      </div>
    </Page>
  );
}

function Parts({ current }: { readonly current: LearnPart }) {
  const words = learnWords();
  const hasSet = useStoreValue('learn', ({ prepared, isLinkUnreadable }) => prepared !== null || isLinkUnreadable);
  const link = (part: LearnPart) => ({
    href: hashOfPart('learn', part),
    ...(part === current && { 'aria-current': 'true' as const }),
  });
  return (
    <nav className={styles.list} aria-label={words.lessons}>
      <ol>
        {LESSONS.map((lesson, index) => (
          <li key={lesson}>
            <a {...link(lesson)}>
              <span className={styles.number} aria-hidden>
                {numberText(index + 1)}
              </span>
              {words[lesson].short}
            </a>
          </li>
        ))}
      </ol>
      <ul>
        {CLASS_PARTS.filter((part) => part !== 'set' || hasSet).map((part) => (
          <li key={part}>
            <a {...link(part)}>{words.class[part].short}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
