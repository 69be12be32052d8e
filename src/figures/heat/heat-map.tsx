import { type CSSProperties, memo, type ReactNode, useMemo } from 'react';
import {
  type Influence,
  largestIn,
  marginIn,
  NEUTRAL_NATS,
  runningText,
  scoreIn,
  type ScoreView,
  type Section,
  sectionOf,
  type TextSection,
  type Tile,
} from '../../explanations/influence.ts';
import type { Outcome } from '../../explanations/outcome.ts';
import type { Picture } from '../../explanations/question.ts';
import { activeIn } from '../../explanations/selection-store.ts';
import { useStoreValue } from '../../stores/use-stores.ts';
import { numberText, visibleText } from '../../words/language.ts';
import { useSectionLinks } from '../section-links.ts';
import { inNats, natsText, placeText, scoreText, sectionPhrase, tileName } from '../texts.ts';
import { resultWords } from '../words.en.ts';
import { fullColour, scaleStyle, signOf, sizeStyle } from '../colours.ts';
import styles from './heat-map.module.css';
import { SizedPicture } from './sized-picture.tsx';

/**
 * The whole prompt by influence. Picture and text have a scale each: one of many tiles scores less than a word does and
 * would be invisible on the word's scale.
 */
export function PromptHeat({ outcome, view }: { readonly outcome: Outcome; readonly view: ScoreView }) {
  const { influence, question } = outcome;
  const { factor } = question.settings;
  return (
    <>
      {question.picture && (
        <>
          <PictureHeat picture={question.picture} tiles={influence.picture} view={view} />
          <Legend sections={influence.picture} view={view} factor={factor} />
        </>
      )}
      {question.prompt !== '' && <HeatMap text={question.prompt} sections={influence.prompt} view={view} />}
      <Readout influence={influence} view={view} />
      {question.prompt !== '' && <Legend sections={influence.prompt} view={view} factor={factor} />}
    </>
  );
}

/** Props of every heat map. */
interface HeatProps {
  readonly view: ScoreView;
  /** For screen readers. */
  readonly name?: string;
  /** The largest score of all maps that share a scale; default: of this one. */
  readonly largest?: number | undefined;
}

/** The prompt's text as it reads, each section in the colour of its influence. */
export const HeatMap = memo(function HeatMap(
  props: HeatProps & { readonly text: string; readonly sections: readonly TextSection[] },
) {
  const words = resultWords().heat;
  const { text, sections, view, name = words.prompt, largest } = props;
  const pieces = useMemo(() => runningText(text, sections), [text, sections]);
  const frame = { testId: 'heat-map', className: styles.map, label: words.sectionKeys(name), sections, view, largest };
  return (
    <HeatFrame {...frame}>
      {(reachable) =>
        pieces.map(({ at, text: piece, section }) =>
          section ? (
            <HeatSection
              key={section.id}
              id={section.id}
              text={piece}
              start={section.start}
              length={section.length}
              score={scoreIn(section, view)}
              margin={marginIn(section, view)}
              isReachable={section.id === reachable}
            />
          ) : (
            <span key={at}>{piece}</span>
          ),
        )
      }
    </HeatFrame>
  );
});

const HeatSection = memo(function HeatSection(
  props: HeatMark & { readonly text: string; readonly start: number; readonly length: number },
) {
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

/** The picture in grey, each tile in the colour of its influence: the picture's own colours would be taken for scores. */
export const PictureHeat = memo(function PictureHeat(
  props: HeatProps & { readonly picture: Picture; readonly tiles: readonly Tile[] },
) {
  const words = resultWords().heat;
  const { picture, tiles: sections, view, name = words.picture, largest } = props;
  const frame = { testId: 'picture-heat', className: styles.picture, label: words.tileKeys(name) };
  return (
    <HeatFrame {...frame} sections={sections} view={view} largest={largest}>
      {(reachable) => (
        <SizedPicture picture={picture}>
          {sections.map((tile) => (
            <HeatTile
              key={tile.id}
              id={tile.id}
              name={tileName(tile)}
              score={scoreIn(tile, view)}
              isReachable={tile.id === reachable}
              {...tile.rect}
            />
          ))}
        </SizedPicture>
      )}
    </HeatFrame>
  );
});

/** Edges and sides are shares of the picture's. */
const HeatTile = memo(function HeatTile(props: HeatMark & Tile['rect'] & { readonly name: string }) {
  const { style, ...mark } = useHeatMark(props, props.name);
  const className = `${styles.tile} influence-fill`;
  return <button type="button" {...mark} className={className} style={{ ...style, ...placeStyle(props) }} />;
});

/** Where a tile is on the picture around it. */
export function placeStyle({ left, top, width, height }: Tile['rect']): CSSProperties {
  const percent = (share: number) => `${share * 100}%`;
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
}

/** The frame of a heat map: one scale of colours for all its sections, pointer and keys that reach them. */
function HeatFrame(
  props: Omit<HeatProps, 'name'> & {
    readonly testId: string;
    readonly className: string | undefined;
    readonly label: string;
    readonly sections: readonly Section[];
    /** Draws the sections; the Tab key reaches the one with the id `reachable`. */
    readonly children: (reachable: string | undefined) => ReactNode;
  },
) {
  const { testId, className, label, sections, view, largest = largestIn(sections, view), children } = props;
  const { stop, links } = useSectionLinks();
  const reachable = sections.find(({ id }) => id === stop) ?? sections[0];
  return (
    <div
      className={className}
      data-testid={testId}
      role="group"
      aria-label={label}
      style={scaleStyle(largest)}
      {...links}
    >
      {children(reachable?.id)}
    </div>
  );
}

/** A section in its colour. */
interface HeatMark {
  readonly id: string;
  /** null if it has none yet. */
  readonly score: number | null;
  /** Nats; null (default) for an exact score. */
  readonly margin?: number | null;
  /** Whether the Tab key stops here. */
  readonly isReachable: boolean;
}

/**
 * Attributes of the element of any section: its name for screen readers, its score for style sheet and label. It follows
 * only whether this section is active, so that hovering renders two sections.
 */
function useHeatMark({ id, score, margin = null, isReachable }: HeatMark, name: string) {
  const isActive = useStoreValue('selection', (state) => activeIn(state) === id);
  const isPinned = useStoreValue('selection', (state) => state.pinned === id);
  const number = scoreText(score, margin);
  return {
    tabIndex: isReachable ? 0 : -1,
    'aria-pressed': isPinned,
    'aria-label': `${name}, ${number}`,
    'data-section': id,
    'data-score': score ?? undefined,
    'data-sign': signOf(score ?? 0),
    'data-active': isActive || undefined,
    'data-estimated': (score !== null && margin !== null) || undefined,
    'data-label': number,
    style: sizeStyle(score ?? 0),
  };
}

/** The numbers of the section under the pointer, or of the pinned one, always in the same place. */
function Readout({ influence, view }: { readonly influence: Influence; readonly view: ScoreView }) {
  const section = sectionOf(influence, useStoreValue('selection', activeIn));
  const score = section ? scoreIn(section, view) : null;
  return (
    <p className={styles.readout} data-testid="readout">
      {section ? (
        <>
          <strong className={styles.name}>{sectionPhrase(section, 48)}</strong>
          <span className={styles.score}>{score === null ? scoreText(score) : inNats(natsText(score))}</span>
          <span>{placeText(section)}</span>
        </>
      ) : (
        resultWords().heat.readout
      )}
    </p>
  );
}

/** The scale of the heat map: the same colour is the same number of nats. */
function Legend(props: { readonly sections: readonly Section[]; readonly view: ScoreView; readonly factor: number }) {
  const words = resultWords().heat;
  const least = numberText(NEUTRAL_NATS);
  const note = props.factor > 1 ? words.unitTurned(least) : words.unit(least);
  return <Scale largest={largestIn(props.sections, props.view)} note={note} />;
}

/** The meaning of the colours, and the numbers at their ends. @param largest  score on the scale, nats */
export function Scale(props: {
  readonly largest: number;
  readonly note: string;
  readonly low?: string;
  readonly high?: string;
}) {
  const words = resultWords().heat;
  const { note, low = words.opposes, high = words.supports } = props;
  const full = numberText(fullColour(props.largest));
  return (
    <div className={styles.legend}>
      <span className={styles.end}>{low}</span>
      <span className={styles.number}>−{full}</span>
      <span className={styles.scale} aria-hidden>
        <span className={styles.zero} />
      </span>
      <span className={styles.number}>+{full}</span>
      <span className={styles.end}>{high}</span>
      <span className={styles.unit}>{note}</span>
    </div>
  );
}
