import { livesOf } from '../../../state/learn/lives.ts';
import type { AttentionFound } from '../../../state/learn/lessons/attention.ts';
import { FIRST_TEXTS, RIVAL_TARGET } from '../../../state/learn/lessons/first-texts.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { natsText, sectionName } from '../../explain/texts.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStores, useValueOf } from '../../use-stores.ts';
import { LivePanel } from '../live/live-panel.tsx';
import { Notice } from '../live/notice.tsx';
import { OpenButton } from '../live/open-button.tsx';
import { SmallHeat } from '../live/small-heat.tsx';
import { hasQuestion, QuestionFields } from '../live/text-fields.tsx';
import { LessonFrame } from './lesson-frame.tsx';
import { attentionNotice } from './notices.ts';
import wide from '../../parts/layout/table.module.css';
import styles from './lesson.module.css';

/** Lesson 2: what a score shows, and what it does not. */
export function AttentionLesson() {
  const store = livesOf(useStores().learn.getState().source).attention;
  const asked = useValueOf(store, (state) => state.asked);
  const first = FIRST_TEXTS.attention;
  const { edit, run } = store.getState();
  const rival = asked.target === first.target ? RIVAL_TARGET : first.target;
  const words = learnWords().attention;
  const name = (rival === RIVAL_TARGET ? words.rival : words.original)(rival.trim());
  return (
    <LessonFrame lesson="attention">
      <LivePanel
        store={store}
        first={first}
        isComplete={hasQuestion}
        fields={
          <>
            <QuestionFields asked={asked} onEdit={edit} />
            {asked.prompt === first.prompt && (
              <div>
                <Button
                  look="quiet"
                  data-testid="rival"
                  onClick={() => {
                    edit({ target: rival });
                    void run();
                  }}
                >
                  {name}
                </Button>
              </div>
            )}
          </>
        }
      >
        {(found, { prompt, target }) => (
          <>
            <SmallHeat outcome={found.outcome} />
            <Notice sentences={attentionNotice(found)} />
            <DeletedTable found={found} />
            <OpenButton texts={{ prompt, target }} />
          </>
        )}
      </LivePanel>
    </LessonFrame>
  );
}

function DeletedTable({ found: { deleted } }: { readonly found: AttentionFound }) {
  const words = learnWords().attention;
  if (deleted.length === 0) return null;
  return (
    <div className={wide.scroll}>
      <table className={`${wide.table} ${styles.table}`} data-testid="deleted">
        <caption>{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.word}</th>
            <th scope="col">{words.dimmed}</th>
            <th scope="col">{words.deleted}</th>
          </tr>
        </thead>
        <tbody>
          {deleted.map(({ section, loss }) => (
            <tr key={section.id}>
              <th scope="row">{sectionName(section)}</th>
              <td>{natsText(section.total)}</td>
              <td>{natsText(loss)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
