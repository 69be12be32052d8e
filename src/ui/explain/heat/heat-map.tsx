import { memo, useMemo } from 'react';
import { largestIn, scoreIn, type Stretch, type View } from '../../../state/explain/influence.ts';
import { runningText } from '../../../state/api/running-text.ts';
import { useSectionLinks } from '../../section-links.ts';
import { scaleStyle } from '../scores/colour-scale.ts';
import { HeatSection } from './heat-section.tsx';
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
