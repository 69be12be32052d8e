import { use, useMemo, useState } from 'react';
import { hasEstimates } from '../../explanations/outcome.ts';
import type { Question } from '../../explanations/question.ts';
import {
  ARTIFACTS,
  exportFile,
  exportText,
  figureOf,
  FORMATS,
  prepared,
  printArtifact,
} from '../../figures/export-files.ts';
import { exportWords } from '../../figures/words.en.ts';
import { svgUrl } from '../../figures/writers/svg.ts';
import { Button, CopyButton, saveFile } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/status.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { Dialog } from '../../parts/layout/blocks.tsx';
import styles from './export-dialog.module.css';
import { hashOf } from './share-link.ts';
import { messageOf } from '../../contract/failure.ts';

type Artifact = keyof typeof ARTIFACTS;
type Format = keyof typeof FORMATS;
type Source = Parameters<typeof prepared>[0];
type Options = Awaited<ReturnType<typeof prepared>>;

const NAMES = Object.keys(ARTIFACTS) as readonly Artifact[]; // `Object.keys` forgets the names

/** What to save, and in which format. Stays open until it is closed, so that several files can be saved. */
export function ExportDialog({ source, onClose }: { readonly source: Source; readonly onClose: () => void }) {
  const words = exportWords();
  const { outcome } = source;
  const isReproducible = outcome.modelVersion !== null && !hasEstimates(outcome);
  const artifacts = NAMES.filter((artifact) => artifact !== 'record' || isReproducible);
  const options = [
    ...artifacts.map((value) => ({ value, label: words.things[value].label })),
    { value: 'link' as const, label: words.link.label },
  ];
  const [chosen, setChosen] = useState<Artifact | 'link'>('heat');
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
  const link = new URL(hashOf(question, { text, picture }), location.href).href;
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

function FilePanel({ artifact, source }: { readonly artifact: Artifact; readonly source: Source }) {
  const options = useMemo(() => prepared(source), [source]);
  const [wanted, setWanted] = useState<Format>('svg');
  const words = exportWords();
  const formats: readonly Format[] = ARTIFACTS[artifact].formats;
  const format = formats.includes(wanted) ? wanted : ARTIFACTS[artifact].formats[0];
  return (
    <>
      <p className={styles.note}>{words.things[artifact].about}</p>
      {formats.length > 1 && (
        <Choice
          label={words.format}
          options={formats.map((value) => ({ value, label: FORMATS[value].name }))}
          value={format}
          onChoose={setWanted}
        />
      )}
      <FallbackBoundary fallback={<p role="alert">{words.cannotDraw}</p>} pending={<div className={styles.preview} />}>
        <SavePanel key={`${artifact} ${format}`} artifact={artifact} format={format} pending={options} />
      </FallbackBoundary>
    </>
  );
}

function SavePanel(props: {
  readonly artifact: Artifact;
  readonly format: Format;
  readonly pending: Promise<Options>;
}) {
  const { artifact, format } = props;
  const options = use(props.pending);
  const words = exportWords();
  const { name } = FORMATS[format];
  const [status, setStatus] = useState({ isBusy: false, text: '' });
  const saved = async () => {
    if (format === 'pdf') return printArtifact(artifact, options).then(() => ''); // the browser's dialog says the rest
    const file = await exportFile(artifact, format, options);
    saveFile(file.name, file.content);
    return words.saved(file.name);
  };
  const save = async () => {
    if (status.isBusy) return;
    setStatus({ isBusy: true, text: words.drawing });
    try {
      setStatus({ isBusy: false, text: await saved() });
    } catch (error) {
      setStatus({ isBusy: false, text: words.failed(messageOf(error)) });
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
          {format === 'pdf' ? words.print : words.save(name)}
        </Button>
        {text !== null && <CopyButton label={words.copy(name)} text={() => text} />}
        <span role="status" className={styles.note}>
          {status.text}
        </span>
      </div>
    </>
  );
}

const PREVIEW_CHARACTERS = 1500;

/** A small drawing, or the beginning of the text. @param props  `text` is shown instead of the drawing */
function Preview(props: { readonly artifact: Artifact; readonly text: string | null; readonly options: Options }) {
  const { artifact, text, options } = props;
  const figure = useMemo(() => figureOf(artifact, options), [artifact, options]);
  // What scrolls must be reachable by keyboard.
  const region = { role: 'region', 'aria-label': exportWords().preview, tabIndex: 0 };
  if (text !== null)
    return (
      <pre className={styles.text} {...region}>
        {text.slice(0, PREVIEW_CHARACTERS)}
      </pre>
    );
  return (
    figure && (
      <div className={styles.preview} {...region}>
        <img src={svgUrl(figure)} alt={figure.title} />
      </div>
    )
  );
}
