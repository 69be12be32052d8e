import { tokenText } from '../../figures/caption.ts';
import { type ComponentType, useState } from 'react';
import { isModelChoice, modelAnswerOf, type Outcome } from '../../explanations/outcome.ts';
import { nameOf, natsText, percentText, sectionName } from '../../figures/texts.ts';
import { Button } from '../../parts/buttons.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import live from '../../parts/live/live.module.css';
import { LivePanel, Notice } from '../../parts/live/live-panel.tsx';
import { hasQuestion, QuestionFields, TextField } from '../../parts/live/text-fields.tsx';
import { canCompare, similarityNotice } from '../../parts/similarity/similarity.ts';
import { SimilarityChart } from '../../parts/similarity/similarity-chart.tsx';
import { similarityWords } from '../../parts/similarity/words.en.ts';
import { WideTable } from '../../parts/layout/wide-table.tsx';
import { hashOfPage } from '../../stores/page-store.ts';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import { fixedText, numberText, visibleText } from '../../words/language.ts';
import { LessonFrame, type LESSONS, OpenButton, SmallHeat, TextPanel } from './lesson-parts.tsx';
import {
  type AttentionFound,
  FIRST_TEXTS,
  type GranularityFound,
  lessonStoresOf,
  LIMIT_EXAMPLES,
  RIVAL_TARGET,
  type TokensFound,
} from './lesson-stores.ts';
import styles from './lesson.module.css';
import { attentionNotice, granularityNotice, limitNotice, sentenceRows, sinksNotice, tokensNotice } from './notices.ts';
import { learnWords } from './words.en.ts';
import { byPlace } from '../../parts/by-place.ts';

type Limit = keyof typeof LIMIT_EXAMPLES;
const NAMES = Object.keys(LIMIT_EXAMPLES) as Limit[]; // `Object.keys` returns strings

/** Lesson 1: the tokens that a model reads and writes. */
function TokensLesson() {
  const store = lessonStoresOf(useStores().learn.getState()).tokens;
  return (
    <LessonFrame lesson="tokens">
      <TextPanel store={store} first={FIRST_TEXTS.tokens}>
        {(found, asked) => (
          <>
            <TextTokens found={found} />
            <NextTokens found={found} />
            <Notice sentences={tokensNotice(found)} />
            <OpenButton
              prompt={asked.text}
              target={found.written[0]?.token ?? ''}
              cut={{ granularity: 'token', similarity: null }}
            />
          </>
        )}
      </TextPanel>
    </LessonFrame>
  );
}

function TextTokens({ found }: { readonly found: TokensFound }) {
  const words = learnWords().tokens;
  return (
    <section className={styles.part}>
      <h3 className={styles.partTitle}>{words.read}</h3>
      <ol className={styles.words} data-testid="tokens" lang="en">
        {byPlace(found.words, ({ text, tokens }) => (
          <li className={styles.word} aria-label={words.tokensOf(visibleText(text.trim()))}>
            {byPlace(tokens, (token) => (
              <span className={styles.token}>{tokenText(token, text)}</span>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function NextTokens({ found: { written } }: { readonly found: TokensFound }) {
  const words = learnWords().tokens;
  return (
    <section className={styles.part}>
      <h3 className={styles.partTitle}>{words.written}</h3>
      {written.length === 0 && <p>{words.writtenNothing}</p>}
      <ol className={styles.words} data-testid="written" lang="en">
        {byPlace(written, ({ token, log_probability }) => (
          <li className={styles.token}>
            {tokenText(token)}
            <span className={styles.share}>{percentText(Math.exp(log_probability))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Lesson 2: what a score shows and what it does not show. */
function AttentionLesson() {
  const store = lessonStoresOf(useStores().learn.getState()).attention;
  const asked = useValueOf(store, (state) => state.asked);
  const first = FIRST_TEXTS.attention;
  const { edit, run } = store.getState();
  const rival = asked.target === first.target ? RIVAL_TARGET : first.target;
  const words = learnWords().attention;
  const explainRival = () => {
    edit({ target: rival });
    void run();
  };
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
                <Button look="quiet" data-testid="rival" onClick={explainRival}>
                  {(rival === RIVAL_TARGET ? words.rival : words.original)(rival.trim())}
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
            <OpenButton prompt={prompt} target={target} />
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
    <WideTable
      label={words.table}
      className={styles.table}
      testId="deleted"
      head={[words.word, words.dimmed, words.deleted]}
      rows={deleted.map(({ section, loss }) => ({
        name: sectionName(section),
        cells: [natsText(section.total), natsText(loss)],
      }))}
    />
  );
}

/** Lesson 3: the same question by word and by sentence. */
function GranularityLesson() {
  const store = lessonStoresOf(useStores().learn.getState()).granularity;
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
            <OpenButton prompt={prompt} target={target} cut={{ granularity: 'sentence', similarity: null }} />
          </>
        )}
      </LivePanel>
    </LessonFrame>
  );
}

function Measures({ found }: { readonly found: GranularityFound }) {
  const words = learnWords().granularity;
  return (
    <WideTable
      label={words.table}
      className={styles.table}
      testId="measures"
      head={[words.sentence, words.whole, words.words, words.deleted]}
      rows={sentenceRows(found).map(({ section, whole, words: sum, deleted }) => ({
        name: sectionName(section, 60),
        cells: [natsText(whole), natsText(sum), deleted === null ? '' : natsText(deleted)],
      }))}
    />
  );
}

/** Lesson 4: a first word that is attended to whatever it says. */
function SinksLesson() {
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

/** Lesson 5: the similarity of texts at each layer. */
function LayersLesson() {
  const { inside, learn } = useStores();
  const store = lessonStoresOf(learn.getState()).layers;
  const { texts } = useValueOf(store, (state) => state.asked);
  const { edit } = store.getState();
  const open = () => {
    void inside.getState().compare(texts);
    location.hash = hashOfPage('inside');
  };
  return (
    <LessonFrame lesson="layers">
      <LivePanel
        store={store}
        first={FIRST_TEXTS.layers}
        isComplete={(asked) => canCompare(asked.texts)}
        missing={similarityWords().needed}
        fields={
          <div className={live.fields}>
            {byPlace(texts, (text, index) => (
              <TextField
                label={similarityWords().label(numberText(index + 1))}
                value={text}
                testId="live-text"
                onChange={(value) => edit({ texts: texts.with(index, value) })}
              />
            ))}
          </div>
        }
      >
        {(found) => (
          <>
            <SimilarityChart found={found} pooling="mean" />
            <Notice sentences={similarityNotice(found, 'mean')} />
            <div>
              <Button data-testid="open-on-inside" onClick={open}>
                {learnWords().layers.open}
              </Button>
            </div>
          </>
        )}
      </LivePanel>
    </LessonFrame>
  );
}

/** Lesson 6: three texts on which the model fails; the heat map does not show that. */
function LimitsLesson() {
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
  const store = lessonStoresOf(useStores().learn.getState()).limits[limit];
  const asked = useValueOf(store, (state) => state.asked);
  const explain = (answer: string) => {
    store.getState().edit({ target: answer });
    void store.getState().run();
  };
  return (
    <LivePanel
      store={store}
      first={LIMIT_EXAMPLES[limit]}
      isComplete={hasQuestion}
      fields={<QuestionFields asked={asked} onEdit={store.getState().edit} />}
    >
      {(outcome, texts) => (
        <>
          <SmallHeat outcome={outcome} />
          <Notice sentences={limitNotice(outcome)} />
          <ModelAnswerButton outcome={outcome} onExplain={explain} />
          <OpenButton prompt={texts.prompt} target={texts.target} />
        </>
      )}
    </LivePanel>
  );
}

/** Explains the model's own answer, if it is another text than the target and can be a target. */
function ModelAnswerButton({ outcome, onExplain }: { readonly outcome: Outcome; onExplain(answer: string): void }) {
  const { prediction } = outcome;
  if (!prediction || isModelChoice(prediction)) return null;
  const { text, isCut, isBroken } = modelAnswerOf(prediction);
  if (text.trim() === '' || isCut || isBroken) return null;
  return (
    <div>
      <Button look="quiet" onClick={() => onExplain(text)}>
        {learnWords().attention.rival(nameOf(text))}
      </Button>
    </div>
  );
}

/** The component of each lesson. */
export const LESSON_CONTENTS: Readonly<Record<(typeof LESSONS)[number], ComponentType>> = {
  tokens: TokensLesson,
  attention: AttentionLesson,
  granularity: GranularityLesson,
  sinks: SinksLesson,
  layers: LayersLesson,
  limits: LimitsLesson,
};
