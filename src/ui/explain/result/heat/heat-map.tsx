import { memo, useMemo } from 'react';
import { largestIn, scoreIn, type Stretch, type View } from '../../../../state/explain/influence.ts';
import { runningText } from '../../../../state/explain/running-text.ts';
import { activeIn } from '../../../../state/explain/selection-store.ts';
import { useStoreValue } from '../../../use-stores.ts';
import { natsText, visibleText } from '../../texts.ts';
import { useSectionLinks } from '../section-links.ts';
import { scaleStyle, signOf, sizeStyle } from './colour-scale.ts';
import styles from './heat-map.module.css';

/** What a heat map draws. */
export interface HeatMapProps {
  readonly text: string;
  readonly sections: readonly Stretch[];
  readonly view: View;
}

/** The prompt's text as it reads, each section in the colour of its influence. */
export const HeatMap = memo(function HeatMap({ text, sections, view }: HeatMapProps) {
  const { stop, links } = useSectionLinks();
  const pieces = useMemo(() => runningText(text, sections), [text, sections]);
  const reachable = sections.some((section) => section.id === stop) ? stop : sections[0]?.id;
  return (
    <div
      className={styles.map}
      data-testid="heat-map"
      role="group"
      aria-label="Prompt by influence. Arrow keys move between sections."
      style={scaleStyle(largestIn(sections, view))}
      {...links}
    >
      {pieces.map(({ at, text: words, section }) =>
        section ? (
          <HeatSection
            key={section.id}
            id={section.id}
            text={words}
            start={section.start}
            length={section.length}
            score={scoreIn(section, view)}
            isReachable={section.id === reachable}
          />
        ) : (
          <span key={at}>{words}</span>
        ),
      )}
    </div>
  );
});

/** One section of the running text. */
interface HeatSectionProps {
  readonly id: string;
  readonly text: string;
  readonly start: number;
  readonly length: number;
  readonly score: number | null;
  /** Whether the Tab key stops here. */
  readonly isReachable: boolean;
}

/** A section in its colour. It follows only whether it is active itself, so that hovering renders two sections. */
const HeatSection = memo(function HeatSection(props: HeatSectionProps) {
  const { id, text, start, length, score, isReachable } = props;
  const isActive = useStoreValue('selection', (state) => activeIn(state) === id);
  const isPinned = useStoreValue('selection', (state) => state.pinned === id);
  const number = score === null ? 'no score' : natsText(score);
  return (
    // A button cannot break across lines as running text must.
    <span
      className={`${styles.section} influence-fill`}
      role="button"
      tabIndex={isReachable ? 0 : -1}
      aria-pressed={isPinned}
      aria-label={`${visibleText(text)}, ${number}`}
      data-section={id}
      data-start={start}
      data-length={length}
      data-score={score ?? undefined}
      data-sign={signOf(score ?? 0)}
      data-active={isActive || undefined}
      data-label={number}
      data-line-end={text.includes('\n') && text.trim() === '' ? '' : undefined}
      style={sizeStyle(score ?? 0)}
    >
      {text}
    </span>
  );
});
