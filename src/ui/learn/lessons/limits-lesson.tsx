import { useState } from 'react';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { isOwnChoice, ownAnswerOf } from '../../../state/explain/prediction.ts';
import { type Limit, LIMITS } from '../../../state/learn/lessons/first-texts.ts';
import { livesOf } from '../../../state/learn/lives.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { nameOf } from '../../explain/texts.ts';
import { Button } from '../../parts/buttons.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { useStores, useValueOf } from '../../use-stores.ts';
import { LivePanel } from '../live/live-panel.tsx';
import { Notice } from '../live/notice.tsx';
import { OpenButton } from '../live/open-button.tsx';
import { SmallHeat } from '../live/small-heat.tsx';
import { hasQuestion, QuestionFields } from '../live/text-fields.tsx';
import { LessonFrame } from './lesson-frame.tsx';
import { limitNotice } from './notices.ts';
import styles from './lesson.module.css';

const NAMES = Object.keys(LIMITS) as Limit[]; // `Object.keys` forgets the names

/** Lesson 5: three texts on which the model fails, and the colours look as they do anywhere. */
export function LimitsLesson() {
  const [limit, setLimit] = useState<Limit>('negation');
  const words = learnWords().limits;
  return (
    <LessonFrame lesson="limits">
      <Choice
        label={words.cases}
        options={NAMES.map((value) => ({ value, label: words.names[value] }))}
        value={limit}
        onChoose={setLimit}
      />
      <p className={styles.text}>{words.about[limit]}</p>
      <LimitExample key={limit} limit={limit} />
    </LessonFrame>
  );
}

function LimitExample({ limit }: { readonly limit: Limit }) {
  const store = livesOf(useStores().learn.getState().source).limits[limit];
  const asked = useValueOf(store, (state) => state.asked);
  const { prompt, target } = LIMITS[limit];
  const explain = (said: string) => {
    store.getState().edit({ target: said });
    void store.getState().run();
  };
  return (
    <LivePanel
      store={store}
      first={{ prompt, target }}
      isComplete={hasQuestion}
      fields={<QuestionFields asked={asked} onEdit={store.getState().edit} />}
    >
      {(outcome, texts) => (
        <>
          <SmallHeat outcome={outcome} />
          <Notice sentences={limitNotice(outcome)} />
          <SaidButton outcome={outcome} onExplain={explain} />
          <OpenButton texts={texts} />
        </>
      )}
    </LivePanel>
  );
}

/** Explains what the model says itself, where that is another text that can be asked for. */
function SaidButton({
  outcome: { prediction },
  onExplain,
}: {
  readonly outcome: Outcome;
  readonly onExplain: (said: string) => void;
}) {
  if (!prediction || isOwnChoice(prediction)) return null;
  const { text, isCut, isBroken } = ownAnswerOf(prediction);
  if (text.trim() === '' || isCut || isBroken) return null;
  return (
    <div>
      <Button look="quiet" onClick={() => onExplain(text)}>
        {learnWords().attention.rival(nameOf(text))}
      </Button>
    </div>
  );
}
