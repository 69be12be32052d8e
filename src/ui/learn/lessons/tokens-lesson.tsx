import { livesOf } from '../../../state/learn/lives.ts';
import { FIRST_TEXTS } from '../../../state/learn/lessons/first-texts.ts';
import type { TokensFound } from '../../../state/learn/lessons/tokens.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { tokenText } from '../../explain/result/head/own-answer-text.ts';
import { percentText, visibleText } from '../../explain/texts.ts';
import { useStores, useValueOf } from '../../use-stores.ts';
import { LivePanel } from '../live/live-panel.tsx';
import { Notice } from '../live/notice.tsx';
import { OpenButton } from '../live/open-button.tsx';
import { TextField } from '../live/text-fields.tsx';
import { LessonFrame } from './lesson-frame.tsx';
import { tokensNotice } from './notices.ts';
import styles from './lesson.module.css';

/** Lesson 1: what a model reads and writes. */
export function TokensLesson() {
  const store = livesOf(useStores().learn.getState().source).tokens;
  const { text } = useValueOf(store, (state) => state.asked);
  const words = learnWords();
  return (
    <LessonFrame lesson="tokens">
      <LivePanel
        store={store}
        first={FIRST_TEXTS.tokens}
        isComplete={(asked) => asked.text !== ''}
        fields={
          <TextField
            label={words.live.text}
            value={text}
            testId="live-prompt"
            onChange={(value) => store.getState().edit({ text: value })}
          />
        }
      >
        {(found, asked) => (
          <>
            <Read found={found} />
            <Written found={found} />
            <Notice sentences={tokensNotice(found)} />
            <OpenButton
              texts={{ prompt: asked.text, target: found.written[0]?.token ?? '' }}
              cut={{ granularity: 'token', similarity: null }}
            />
          </>
        )}
      </LivePanel>
    </LessonFrame>
  );
}

function Read({ found }: { readonly found: TokensFound }) {
  const words = learnWords().tokens;
  return (
    <section className={styles.part}>
      <h3 className={styles.partTitle}>{words.read}</h3>
      <ol className={styles.words} data-testid="tokens" lang="en">
        {found.words.map(({ text, tokens }, word) => (
          // oxlint-disable-next-line react/no-array-index-key -- a word is its place in the text
          <li key={word} className={styles.word} aria-label={words.tokensOf(visibleText(text.trim()))}>
            {tokens.map((token, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- a token is its place in the word
              <span key={place} className={styles.token}>
                {tokenText(token, text)}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Written({ found: { written } }: { readonly found: TokensFound }) {
  const words = learnWords().tokens;
  return (
    <section className={styles.part}>
      <h3 className={styles.partTitle}>{words.written}</h3>
      {written.length === 0 && <p>{words.writtenNothing}</p>}
      <ol className={styles.words} data-testid="written" lang="en">
        {written.map(({ token, log_probability }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a token is its place in the text
          <li key={place} className={styles.token}>
            {tokenText(token)}
            <span className={styles.share}>{percentText(Math.exp(log_probability))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
