import { memo, useMemo } from 'react';
import { marginIn, scoreIn, type Stretch, type View } from '../../../../state/explain/influence.ts';
import { runningText } from '../../../../state/explain/text/running-text.ts';
import { visibleText } from '../../texts.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { HeatFrame } from './heat-frame.tsx';
import { useHeatMark, type HeatMark } from './heat-mark.ts';
import styles from './heat-map.module.css';

/** What a heat map draws. */
export interface HeatMapProps {
  readonly text: string;
  readonly sections: readonly Stretch[];
  readonly view: View;
  /** For screen readers. */
  readonly name?: string;
  /** See `HeatFrame`. */
  readonly largest?: number;
}

/** The prompt's text as it reads, each section in the colour of its influence. */
export const HeatMap = memo(function HeatMap(props: HeatMapProps) {
  const words = resultWords().heat;
  const { text, sections, view, name = words.prompt, largest } = props;
  const pieces = useMemo(() => runningText(text, sections), [text, sections]);
  return (
    <HeatFrame
      testId="heat-map"
      className={styles.map}
      label={words.sectionKeys(name)}
      sections={sections}
      view={view}
      largest={largest}
    >
      {(reachable) =>
        pieces.map(({ at, text: words, section }) =>
          section ? (
            <HeatSection
              key={section.id}
              id={section.id}
              text={words}
              start={section.start}
              length={section.length}
              score={scoreIn(section, view)}
              margin={marginIn(section, view)}
              isReachable={section.id === reachable}
            />
          ) : (
            <span key={at}>{words}</span>
          ),
        )
      }
    </HeatFrame>
  );
});

/** One section of the running text. */
interface HeatSectionProps extends HeatMark {
  readonly text: string;
  readonly start: number;
  readonly length: number;
}

const HeatSection = memo(function HeatSection(props: HeatSectionProps) {
  const { text, start, length } = props;
  return (
    // A button cannot break across lines as running text must.
    <span
      {...useHeatMark(props, visibleText(text))}
      className={`${styles.section} influence-fill`}
      role="button"
      data-start={start}
      data-length={length}
      data-line-end={text.includes('\n') && text.trim() === '' ? '' : undefined}
    >
      {text}
    </span>
  );
});
