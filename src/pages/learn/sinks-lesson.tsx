import { fixedText } from '../../words/language.ts';
import { Notice } from '../../parts/live/live-panel.tsx';
import { WideTable } from '../../parts/layout/wide-table.tsx';
import { useStores } from '../../stores/use-stores.ts';
import { LessonFrame, TextPanel } from './lesson-parts.tsx';
import { FIRST_TEXTS, lessonStoresOf } from './lesson-stores.ts';
import styles from './lesson.module.css';
import { sinksNotice } from './notices.ts';
import { learnWords } from './words.en.ts';

/** Lesson 4: a first word that is attended to whatever it says. */
export function SinksLesson() {
  const store = lessonStoresOf(useStores().learn.getState()).sinks;
  const words = learnWords().sinks;
  return (
    <LessonFrame lesson="sinks">
      <TextPanel store={store} first={FIRST_TEXTS.sinks}>
        {(found) => (
          <>
            <WideTable
              label={words.table}
              className={styles.table}
              testId="first-words"
              head={[words.word, words.dimmed, words.deleted]}
              rows={found.map(({ word, dimmed, deleted }) => ({
                name: word,
                cells: [fixedText(dimmed, 2), fixedText(deleted, 2)],
              }))}
            />
            <Notice sentences={sinksNotice(found)} />
          </>
        )}
      </TextPanel>
    </LessonFrame>
  );
}
