import { fixedText } from '../../words/language.ts';
import { LivePanel, Notice } from '../../parts/live/live-panel.tsx';
import { TextField } from '../../parts/live/text-fields.tsx';
import { liveWords } from '../../parts/live/words.en.ts';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import { LessonFrame, NumberTable } from './lesson-parts.tsx';
import { FIRST_TEXTS, lessonStoresOf } from './lesson-stores.ts';
import { sinksNotice } from './notices.ts';
import { learnWords } from './words.en.ts';

/** Lesson 4: a first word that is attended to whatever it says. */
export function SinksLesson() {
  const store = lessonStoresOf(useStores().learn.getState()).sinks;
  const { text } = useValueOf(store, (state) => state.asked);
  const words = learnWords().sinks;
  return (
    <LessonFrame lesson="sinks">
      <LivePanel
        store={store}
        first={FIRST_TEXTS.sinks}
        isComplete={(asked) => asked.text !== ''}
        fields={
          <TextField
            label={liveWords().text}
            value={text}
            testId="live-prompt"
            onChange={(value) => store.getState().edit({ text: value })}
          />
        }
      >
        {(found) => (
          <>
            <NumberTable
              caption={words.table}
              testId="first-words"
              head={[words.word, words.dimmed, words.deleted]}
              rows={found.map(({ word, dimmed, deleted }, place) => ({
                id: `${place}`,
                name: word,
                numbers: [fixedText(dimmed, 2), fixedText(deleted, 2)],
              }))}
            />
            <Notice sentences={sinksNotice(found)} />
          </>
        )}
      </LivePanel>
    </LessonFrame>
  );
}
