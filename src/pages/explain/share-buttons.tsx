import { lazy, useRef, useState } from 'react';
import type { ScoreView } from '../../explanations/influence.ts';
import { originalQuestion, type Outcome } from '../../explanations/outcome.ts';
import type { FigureSource } from '../../figures/drawing/content.ts';
import styles from '../../figures/panel.module.css';
import { resultWords } from '../../figures/words.en.ts';
import { Button, saveFile } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/status.tsx';
import type { ModelFacts } from '../../stores/models-store.ts';
import { useStores } from '../../stores/use-stores.ts';
import row from './outcome-view.module.css';
import { hashOf } from './share-link.ts';

interface ShownOutcome {
  readonly outcome: Outcome;
  readonly view: ScoreView;
}

/** All ways to share and save an outcome. */
export function ShareButtons(props: ShownOutcome) {
  return (
    <div className={row.variations}>
      <ExportButton {...props} />
      <QuickButtons {...props} />
    </div>
  );
}

/** A function that collects what files of the outcome are made from. */
function useSource({ outcome, view }: ShownOutcome): () => FigureSource {
  const { engine, models } = useStores();
  return () => {
    const { model: current, status } = engine.getState();
    const listed = models.getState().models;
    const model = makerOf(outcome, listed, current);
    const facts = listed.find(({ name }) => name === model);
    const recording = { facts, engine: status, userAgent: navigator.userAgent, now: new Date() };
    return { outcome, view, model, recording };
  };
}

/**
 * Name of the model that made an outcome, which may not be the current one any more; its version where the model is not listed.
 */
export function makerOf(
  { modelVersion }: Pick<Outcome, 'modelVersion'>,
  models: readonly Pick<ModelFacts, 'name' | 'version'>[],
  current: string,
): string {
  if (modelVersion === null) return current; // it runs, or was cancelled
  const version = modelVersion.split(' @ ')[0] ?? modelVersion; // the rest is a server's address
  return models.find((one) => one.version === version)?.name ?? version;
}

/** All that writes files; none of it is needed before the button is pressed. */
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));

/** Opens the one place where an outcome is saved in every format. */
function ExportButton(props: ShownOutcome) {
  const sourceNow = useSource(props);
  const button = useRef<HTMLButtonElement>(null);
  // What the dialog was opened on: a running request continues below it.
  const [source, setSource] = useState<FigureSource | null>(null);
  const close = () => {
    setSource(null);
    button.current?.focus();
  };
  const words = resultWords().export;
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" onClick={() => setSource(sourceNow())}>
        {words.button}
      </Button>
      {source && (
        <FallbackBoundary fallback={<p role="alert">{words.failed}</p>}>
          <ExportDialog source={source} onClose={close} />
        </FallbackBoundary>
      )}
    </>
  );
}

/** The picture for posts, and a link with the question, each with one press; says what was copied, and what the link holds. */
function QuickButtons(props: ShownOutcome) {
  const sourceNow = useSource(props);
  const { outcome } = props;
  const [told, setTold] = useState<{ readonly outcome: Outcome; readonly text: string } | null>(null);
  const tell = (text: string) => setTold({ outcome, text });
  const words = resultWords().export;
  const copyPicture = async () => {
    const source = sourceNow();
    tell(words.drawing);
    const file = import('../../figures/export-files.ts').then(async ({ exportFile, prepared }) =>
      exportFile('share', 'png', await prepared(source)),
    );
    try {
      // Given before it is drawn: Safari allows it only while the press is handled.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': file.then(({ content }) => content) })]);
      tell(words.pictureCopied);
    } catch {
      const { name, content } = await file;
      saveFile(name, content); // where a browser copies no pictures, or was told not to
      tell(words.pictureSaved(name));
    }
  };
  const copyLink = async () => {
    const question = originalQuestion(outcome);
    const link = new URL(hashOf(question, { text: true, picture: false }), location.href).href;
    try {
      await navigator.clipboard.writeText(link); // an insecure page has no clipboard
      tell(words.linkCopied(question.target !== '', question.picture !== null));
    } catch {
      tell(words.linkRefused);
    }
  };
  const failed = () => tell(words.failed);
  return (
    <>
      <Button look="quiet" data-testid="copy-picture" onClick={() => void copyPicture().catch(failed)}>
        {words.picture}
      </Button>
      <Button look="quiet" data-testid="copy-link" onClick={() => void copyLink()}>
        {words.link}
      </Button>
      <p role="status" className={styles.note} data-testid="shared">
        {told?.outcome === outcome && told.text}
      </p>
    </>
  );
}
