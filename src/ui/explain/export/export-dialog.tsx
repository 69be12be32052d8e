import { Suspense, useMemo, useState } from 'react';
import { hasEstimates } from '../../../state/explain/outcome.ts';
import { exportWords } from '../../../words/en/explain/export.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { Dialog } from '../../parts/layout/dialog.tsx';
import type { Source } from './figure/content.ts';
import { prepared } from './files.ts';
import { LinkPanel } from './link-panel.tsx';
import { SavePanel } from './save-panel.tsx';
import { FORMAT_NAMES, type Format, OFFERS, type Thing, THINGS } from './things.ts';
import styles from './export-dialog.module.css';

/** See `ExportDialog`. */
export interface ExportDialogProps {
  readonly source: Source;
  readonly onClose: () => void;
}

type What = Thing | 'link';

/** What to save, and as what. Stays open until it is closed, so that several files can be saved. */
export function ExportDialog({ source, onClose }: ExportDialogProps) {
  const words = exportWords();
  const isComplete = source.outcome.modelVersion !== null; // only then can it be computed again
  const isRecorded = isComplete && !hasEstimates(source.outcome);
  const things = THINGS.filter((thing) => thing !== 'record' || isRecorded).map((value) => ({
    value,
    label: words.things[value].label,
  }));
  const whats = [...things, { value: 'link' as const, label: words.link.label }];
  const [what, setWhat] = useState<What>('heat');
  return (
    <Dialog title={words.title} closeText={words.close} testId="export" onClose={onClose}>
      <Choice<What> label={words.what} options={whats} value={what} onChoose={setWhat} />
      {what === 'link' ? <LinkPanel question={source.outcome.question} /> : <Files thing={what} source={source} />}
    </Dialog>
  );
}

/** The formats of a thing, and one of them to save. */
function Files({ thing, source }: { readonly thing: Thing; readonly source: Source }) {
  const options = useMemo(() => prepared(source), [source]);
  const [wanted, setWanted] = useState<Format>('svg');
  const words = exportWords();
  const { formats } = OFFERS[thing];
  const format = formats.find((one) => one === wanted) ?? formats[0];
  return (
    <>
      <p className={styles.note}>{words.things[thing].about}</p>
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
          <SavePanel key={`${thing} ${format}`} thing={thing} format={format} options={options} />
        </Suspense>
      </FallbackBoundary>
    </>
  );
}
