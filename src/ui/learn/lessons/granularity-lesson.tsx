import { livesOf } from '../../../state/learn/lives.ts';
import { FIRST_TEXTS } from '../../../state/learn/lessons/first-texts.ts';
import { type GranularityFound, sentenceRows } from '../../../state/learn/lessons/granularity.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { natsText, sectionName } from '../../explain/texts.ts';
import { useStores, useValueOf } from '../../use-stores.ts';
import { LivePanel } from '../live/live-panel.tsx';
import { Notice } from '../live/notice.tsx';
import { OpenButton } from '../live/open-button.tsx';
import { SmallHeat } from '../live/small-heat.tsx';
import { hasQuestion, QuestionFields } from '../live/text-fields.tsx';
import { LessonFrame } from './lesson-frame.tsx';
import { granularityNotice } from './notices.ts';
import wide from '../../parts/layout/table.module.css';
import styles from './lesson.module.css';

/** Lesson 3: the same question by word and by sentence. */
export function GranularityLesson() {
  const store = livesOf(useStores().learn.getState().source).granularity;
  const asked = useValueOf(store, (state) => state.asked);
  const words = learnWords().granularity;
  return (
    <LessonFrame lesson="granularity">
      <LivePanel
        store={store}
        first={FIRST_TEXTS.granularity}
        isComplete={hasQuestion}
        fields={<QuestionFields asked={asked} onEdit={store.getState().edit} />}
      >
        {(found, { prompt, target }) => (
          <>
            <div className={styles.sides}>
              <section className={styles.part}>
                <h3 className={styles.partTitle}>{words.byWord}</h3>
                <SmallHeat outcome={found.words} />
              </section>
              <section className={styles.part}>
                <h3 className={styles.partTitle}>{words.bySentence}</h3>
                <SmallHeat outcome={found.sentences} />
              </section>
            </div>
            <Notice sentences={granularityNotice(found)} />
            <Measures found={found} />
            <OpenButton texts={{ prompt, target }} cut={{ granularity: 'sentence', similarity: null }} />
          </>
        )}
      </LivePanel>
    </LessonFrame>
  );
}

function Measures({ found }: { readonly found: GranularityFound }) {
  const words = learnWords().granularity;
  return (
    <div className={wide.scroll}>
      <table className={`${wide.table} ${styles.table}`} data-testid="measures">
        <caption>{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.sentence}</th>
            <th scope="col">{words.whole}</th>
            <th scope="col">{words.words}</th>
            <th scope="col">{words.deleted}</th>
          </tr>
        </thead>
        <tbody>
          {sentenceRows(found).map(({ section, whole, words: sum, deleted }) => (
            <tr key={section.id}>
              <th scope="row">{sectionName(section, 60)}</th>
              <td>{natsText(whole)}</td>
              <td>{natsText(sum)}</td>
              <td>{deleted === null ? '' : natsText(deleted)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
