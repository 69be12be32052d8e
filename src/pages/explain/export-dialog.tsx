import { Suspense, use, useMemo, useState } from 'react';
import { hasEstimates } from '../../explanations/outcome.ts';
import type { Question } from '../../explanations/question.ts';
import type { FigureSource } from '../../figures/drawing/content.ts';
import type { HeatOptions } from '../../figures/drawing/heat.ts';
import {
  ARTIFACT_FORMATS,
  EXPORT_ARTIFACTS,
  type ExportArtifact,
  exportFile,
  exportText,
  figureOf,
  type Format,
  FORMAT_NAMES,
  prepared,
} from '../../figures/export-files.ts';
import { exportWords } from '../../figures/words.en.ts';
import { svgOf } from '../../figures/writers/svg.ts';
import { Button, CopyButton, saveFile } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/status.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { Dialog } from '../../parts/layout/dialog.tsx';
import styles from './export-dialog.module.css';
import { hashOf, sharedOf } from './share-link.ts';

/** What to save, and in which format. Stays open until it is closed, so that several files can be saved. */
export function ExportDialog({ source, onClose }: { readonly source: FigureSource; readonly onClose: () => void }) {
  const words = exportWords();
  const { outcome } = source;
  const isReproducible = outcome.modelVersion !== null && !hasEstimates(outcome);
  const artifacts = EXPORT_ARTIFACTS.filter((artifact) => artifact !== 'record' || isReproducible);
  const options = [
    ...artifacts.map((value) => ({ value, label: words.things[value].label })),
    { value: 'link' as const, label: words.link.label },
  ];
  const [chosen, setChosen] = useState<ExportArtifact | 'link'>('heat');
  return (
    <Dialog title={words.title} closeText={words.close} testId="export" onClose={onClose}>
      <Choice label={words.what} options={options} value={chosen} onChoose={setChosen} />
      {chosen === 'link' ? <LinkPanel question={outcome.question} /> : <FilePanel artifact={chosen} source={source} />}
    </Dialog>
  );
}

/** Base64 characters; mail programs and chats cut longer links off. */
const MAX_LINKED_PICTURE = 24_000;

/** A link to this page that holds the settings, and the texts only where that is agreed. */
function LinkPanel({ question }: { readonly question: Question }) {
  const [text, setText] = useState(false);
  const [picture, setPicture] = useState(false);
  const isLarge = (question.picture?.data.length ?? 0) > MAX_LINKED_PICTURE;
  const words = exportWords().link;
  const link = new URL(hashOf(sharedOf(question, { text, picture })), location.href).href;
  return (
    <>
      <p className={styles.note}>{words.about}</p>
      <label className={styles.agreement}>
        <input type="checkbox" checked={text} onChange={(event) => setText(event.target.checked)} />
        {words.text}
      </label>
      {question.picture && (
        <label className={styles.agreement}>
          <input
            type="checkbox"
            checked={text && picture}
            disabled={!text || isLarge}
            onChange={(event) => setPicture(event.target.checked)}
          />
          {isLarge ? words.pictureTooLarge : words.picture}
        </label>
      )}
      <output className={styles.link} data-testid="link">
        {link}
      </output>
      <div className={styles.actions}>
        <CopyButton key={link} label={words.copy} text={() => link} />
      </div>
    </>
  );
}

/** The formats of an artifact, and one of them to save. */
function FilePanel({ artifact, source }: { readonly artifact: ExportArtifact; readonly source: FigureSource }) {
  const options = useMemo(() => prepared(source), [source]);
  const [wanted, setWanted] = useState<Format>('svg');
  const words = exportWords();
  const { formats } = ARTIFACT_FORMATS[artifact];
  const format = formats.find((one) => one === wanted) ?? formats[0];
  return (
    <>
      <p className={styles.note}>{words.things[artifact].about}</p>
      {formats.length > 1 && (
        <Choice
          label={words.format}
          options={formats.map((value) => ({ value, label: FORMAT_NAMES[value] }))}
          value={format}
          onChoose={setWanted}
        />
      )}
      <FallbackBoundary fallback={<p role="alert">{words.cannotDraw}</p>}>
        <Suspense fallback={<div className={styles.preview} />}>
          <SavePanel key={`${artifact} ${format}`} artifact={artifact} format={format} options={options} />
        </Suspense>
      </FallbackBoundary>
    </>
  );
}

interface SavePanelProps {
  readonly artifact: ExportArtifact;
  readonly format: Format;
  readonly options: Promise<HeatOptions>;
}

/** Shows what will be saved, and saves it. */
function SavePanel({ artifact, format, options: pending }: SavePanelProps) {
  const words = exportWords();
  const options = use(pending);
  const [status, setStatus] = useState({ isBusy: false, text: '' });
  const save = async () => {
    if (status.isBusy) return;
    setStatus({ isBusy: true, text: words.drawing });
    try {
      const { name, content } = await exportFile(artifact, format, options);
      saveFile(name, content);
      setStatus({ isBusy: false, text: words.saved(name) });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      setStatus({ isBusy: false, text: words.failed(why) });
    }
  };
  const text = useMemo(
    () => (format === 'svg' ? null : exportText(artifact, format, options)),
    [artifact, format, options],
  );
  return (
    <>
      <Preview artifact={artifact} text={artifact === 'numbers' || format === 'tex' ? text : null} options={options} />
      <p className={styles.note}>{words.formats[format]}</p>
      <div className={styles.actions}>
        <Button look="primary" onClick={() => void save()}>
          {words.save(FORMAT_NAMES[format])}
        </Button>
        {text !== null && <CopyButton label={words.copy(FORMAT_NAMES[format])} text={() => text} />}
        <span role="status" className={styles.note}>
          {status.text}
        </span>
      </div>
    </>
  );
}

/** Characters of a text that are shown. */
const PREVIEW_CHARACTERS = 1500;

interface PreviewProps {
  readonly artifact: ExportArtifact;
  /** Shown instead of the drawing. */
  readonly text: string | null;
  readonly options: HeatOptions;
}

/** A small drawing, or the beginning of the text. */
function Preview({ artifact, text, options }: PreviewProps) {
  const figure = useMemo(() => figureOf(artifact, options), [artifact, options]);
  // What scrolls must be reachable by keyboard.
  const region = { role: 'region', 'aria-label': exportWords().preview, tabIndex: 0 };
  if (text !== null)
    return (
      <pre className={styles.text} {...region}>
        {text.slice(0, PREVIEW_CHARACTERS)}
      </pre>
    );
  if (!figure) return null;
  return (
    <div className={styles.preview} {...region}>
      <img src={`data:image/svg+xml,${encodeURIComponent(svgOf(figure))}`} alt={figure.title} />
    </div>
  );
}
