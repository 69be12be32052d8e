import { use, useMemo, useState } from 'react';
import { exportWords } from '../../../words/en/explain/export.ts';
import { Button, CopyButton } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import type { HeatOptions } from './figure/heat.ts';
import { figureOf, fileOf, textOf } from './files.ts';
import { FORMAT_NAMES, type Format, type Thing } from './things.ts';
import { svgOf } from './writers/svg.ts';
import styles from './export-dialog.module.css';

/** A thing in a format. */
export interface SavePanelProps {
  readonly thing: Thing;
  readonly format: Format;
  readonly options: Promise<HeatOptions>;
}

/** What became of the last press of the button, in words. */
interface Saved {
  readonly isBusy: boolean;
  readonly text: string;
}

/** Shows what will be saved, and saves it. */
export function SavePanel({ thing, format, options }: SavePanelProps) {
  const words = exportWords();
  const made = use(options);
  const [saved, setSaved] = useState<Saved>({ isBusy: false, text: '' });
  const save = async () => {
    if (saved.isBusy) return;
    setSaved({ isBusy: true, text: words.drawing });
    try {
      const { name, content } = await fileOf(thing, format, made);
      download(name, content);
      setSaved({ isBusy: false, text: words.saved(name) });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      setSaved({ isBusy: false, text: words.failed(why) });
    }
  };
  const text = useMemo(() => (format === 'svg' ? null : textOf(thing, format, made)), [thing, format, made]);
  return (
    <>
      <Preview thing={thing} text={thing === 'numbers' || format === 'tex' ? text : null} options={made} />
      <p className={styles.note}>{words.formats[format]}</p>
      <div className={styles.actions}>
        <Button look="primary" onClick={() => void save()}>
          {words.save(FORMAT_NAMES[format])}
        </Button>
        {text !== null && <CopyButton label={words.copy(FORMAT_NAMES[format])} text={() => text} />}
        <span role="status" className={styles.note}>
          {saved.text}
        </span>
      </div>
    </>
  );
}

/** Characters of a text that are shown. */
const SHOWN = 1500;

interface PreviewProps {
  readonly thing: Thing;
  /** Shown in place of the drawing. */
  readonly text: string | null;
  readonly options: HeatOptions;
}

/** The drawing in small, or the beginning of the text. */
function Preview({ thing, text, options }: PreviewProps) {
  const figure = useMemo(() => figureOf(thing, options), [thing, options]);
  // What scrolls must be in reach of the keyboard.
  const region = { role: 'region', 'aria-label': exportWords().preview, tabIndex: 0 };
  if (text !== null)
    return (
      <pre className={styles.text} {...region}>
        {text.slice(0, SHOWN)}
      </pre>
    );
  if (!figure) return null;
  const source = `data:image/svg+xml,${encodeURIComponent(svgOf(figure))}`;
  return (
    <div className={styles.preview} {...region}>
      <img src={source} alt={figure.title} />
    </div>
  );
}
