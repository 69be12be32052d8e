import { useEffect, useMemo } from 'react';
import type { PassageLink } from '../../../explanations/citations.ts';
import { isThisDevice } from '../../../figures/caption.ts';
import { quoted, timesText } from '../../../figures/texts.ts';
import { Button } from '../../../parts/buttons.tsx';
import { nextStepAfter, problemText } from '../../../parts/feedback/next-step.ts';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import { useModelFacts, useStores, useStoreValue, useValueOf } from '../../../stores/use-stores.ts';
import { numberText } from '../../../words/language.ts';
import { scrollToDocument, sourceText } from '../answer-panel.tsx';
import answerStyles from '../answers.module.css';
import { answersIn, readyIn } from '../answers.ts';
import formStyles from '../question-form.module.css';
import { documentsWords } from '../words.en.ts';
import styles from './cited.module.css';
import { citedStoreOf } from './cited-store.ts';
import { type CitedPassage, requestPlan, MAX_ANSWER, MAX_SENTENCES, passagesFor } from './passages.ts';

/** A server answers the question from the passages that were found, and each sentence names those that lead to it. */
export function CitedPanel() {
  const words = documentsWords().cited;
  const facts = useModelFacts();
  const address = facts?.upstream;
  if (!facts || typeof address !== 'string') return null;
  return (
    <section className={answerStyles.panel} aria-labelledby="cited-title" data-testid="cited">
      <h2 id="cited-title" className={answerStyles.title}>
        {words.title(facts.version, new URL(address).host)}
      </h2>
      <Asking address={address} />
      <Result />
    </section>
  );
}

function useCitedStore() {
  const { documents, models } = useStores();
  return citedStoreOf(documents, models.getState().client);
}

/** Passages to ask from, as soon as the search has ended. */
function usePassages(): readonly CitedPassage[] {
  const { contextTokens = 0 } = useModelFacts() ?? {};
  const asked = useStoreValue('documents', (state) => state.asked);
  const list = useStoreValue('documents', (state) => state.list);
  const isSearching = useStoreValue('documents', ({ phase }) => phase.kind === 'running');
  return useMemo(
    () => (asked && !isSearching ? passagesFor(answersIn({ asked, list }), list, asked.question, contextTokens) : []),
    [asked, list, isSearching, contextTokens],
  );
}

/** What will be sent, and the button that sends it; the same one stops. */
function Asking({ address }: { readonly address: string }) {
  const words = documentsWords().cited;
  const { engine } = useStores();
  const store = useCitedStore();
  const passages = usePassages();
  const session = useStoreValue('documents', (state) => state.asked);
  const phase = useValueOf(store, (state) => state.phase);
  const isOther = useValueOf(store, (state) => state.session !== session);
  const isRunning = phase.kind === 'running' && !isOther;
  useEffect(() => {
    if (isOther) store.getState().cancel(); // another question was asked
  }, [isOther, store]);
  if (!session || (passages.length === 0 && !isRunning)) return <p className={answerStyles.note}>{words.none}</p>;
  const { model } = engine.getState();
  const ask = () => void store.getState().ask({ session, passages, model, upstream: address });
  return (
    <>
      {!isRunning && <Plan passages={passages} question={session.question} host={new URL(address).host} />}
      <div>
        <Button
          onClick={isRunning ? store.getState().cancel : ask}
          data-testid={isRunning ? 'cited-stop' : 'cited-ask'}
        >
          {isRunning ? words.stop : words.ask(new URL(address).host)}
        </Button>
      </div>
      {isRunning && <Progress done={phase.done} total={phase.total} />}
      {phase.kind === 'failed' && !isOther && <ProblemNote code={phase.problem.code} message={phase.problem.message} />}
    </>
  );
}

interface PlanProps {
  readonly passages: readonly CitedPassage[];
  readonly question: string;
  readonly host: string;
}

function Plan({ passages, question, host }: PlanProps) {
  const words = documentsWords().cited;
  const price = useStoreValue('settings', ({ settings }) => settings.upstream.pricePerMillionTokens);
  const { answerTokens, requests, tokens } = requestPlan(passages, question);
  const cost = (count: number) =>
    price === null ? null : numberText((price * count) / 1e6, { maximumSignificantDigits: 2 });
  return (
    <p className={`${answerStyles.note} ${styles.plan}`} data-testid="cited-plan">
      {words.plan(host, passages.length, numberText(answerTokens), cost(answerTokens))}{' '}
      {words.perSentence(numberText(MAX_SENTENCES), numberText(requests), numberText(tokens), cost(tokens))}
    </p>
  );
}

function Progress({ done, total }: { readonly done: number; readonly total: number | null }) {
  const words = documentsWords().cited;
  return (
    <div className={formStyles.progress}>
      <ProgressBar label={words.progress} share={total === null ? null : done / total} />
      <span className={formStyles.note} data-testid="cited-progress">
        {total === null ? words.writing : words.linking(numberText(done), numberText(total))}
      </span>
    </div>
  );
}

function ProblemNote({ code, message }: { readonly code: string; readonly message: string }) {
  const { title, step } = nextStepAfter(code);
  return (
    <div className={formStyles.problem} role="alert" data-testid="cited-problem">
      <p className={answerStyles.noneTitle}>{title}</p>
      <p>{problemText(message)}</p>
      <p>{step}</p>
    </div>
  );
}

/** The answer to the question that the page shows. */
function Result() {
  const words = documentsWords().cited;
  const store = useCitedStore();
  const session = useStoreValue('documents', (state) => state.asked);
  const answer = useValueOf(store, (state) => state.answer);
  const kind = useValueOf(store, ({ phase }) => phase.kind);
  if (!answer || answer.session !== session) return null;
  const { passages, sentences, upstream, isCut, requests, tokens } = answer;
  return (
    <div className={styles.item} data-testid="cited-answer">
      {passages.map((passage) => (
        <CommandNote key={passage.text} passage={passage} />
      ))}
      <ol className={answerStyles.list}>
        {[...sentences.entries()].map(([at, { text, links }]) => (
          <li key={at} className={styles.item} data-testid="cited-sentence">
            <p className={styles.sentence} dir="auto" data-unsupported={links?.length === 0 || undefined}>
              {text.trim()}
            </p>
            {links === null && kind !== 'running' && <p className={answerStyles.note}>{words.unexamined}</p>}
            {links?.length === 0 && <p className={answerStyles.note}>{words.unsupported}</p>}
            <Links links={links ?? []} passages={passages} />
          </li>
        ))}
      </ol>
      {isCut && <p className={answerStyles.note}>{words.cut(numberText(MAX_ANSWER))}</p>}
      <p className={answerStyles.note} role="status">
        {kind === 'stopped' && words.stopped}
      </p>
      <p className={answerStyles.note} data-testid="cited-sent">
        {words.sent(upstream, isThisDevice(upstream), { requests, tokens, isAll: kind === 'done' })}
      </p>
    </div>
  );
}

interface LinksProps {
  readonly links: readonly PassageLink[];
  readonly passages: readonly CitedPassage[];
}

/** The passages of a sentence, each with what it does to it. */
function Links({ links, passages }: LinksProps) {
  const words = documentsWords().cited;
  if (links.length === 0) return null;
  return (
    <ul className={styles.links}>
      {links.map(({ passage: index, necessity, sufficiency }) => {
        const passage = passages[index];
        return (
          passage && (
            <li key={index} data-testid="cited-link">
              <PassageButton passage={passage} /> {words.link(effectText(-necessity), effectText(sufficiency))}{' '}
              {passage.command !== null && <strong>{words.commands}</strong>}
            </li>
          )
        );
      })}
    </ul>
  );
}

/** How the likelihood of a sentence changes. @param nats  the rise of its logarithm */
function effectText(nats: number): string {
  const { more, less, same } = documentsWords().cited.effect;
  const times = timesText(nats);
  if (times === null) return same;
  return nats > 0 ? more(times) : less(times);
}

/** Source and beginning of a passage; pressing it shows the passage in its document. */
function PassageButton({ passage: { found, text } }: { readonly passage: CitedPassage }) {
  const { documents } = useStores();
  const source = useSource(found);
  const show = () => {
    documents.getState().choose({ ...found, answer: found.passage, sentence: found.passage });
    scrollToDocument();
  };
  return (
    <button type="button" className={styles.passage} onClick={show} data-content>
      {source}: {quoted(text, 60)}
    </button>
  );
}

/** A passage that commands, whether or not the answer follows it. */
function CommandNote({ passage: { found, command } }: { readonly passage: CitedPassage }) {
  const source = useSource(found);
  if (command === null) return null;
  return (
    <p className={answerStyles.missing} data-testid="cited-command">
      {documentsWords().cited.command(source, quoted(command, 120))}
    </p>
  );
}

/** Name and page; empty where the document is no longer in the list. */
function useSource(found: CitedPassage['found']): string {
  const entry = useStoreValue('documents', ({ list }) => list.find(({ id }) => id === found.document));
  const [ready] = readyIn(entry ? [entry] : []);
  return ready ? sourceText(ready.document.name, ready.document.layout, found) : '';
}
