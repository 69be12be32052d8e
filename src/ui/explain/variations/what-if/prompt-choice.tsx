import { type CSSProperties, type KeyboardEvent, memo, useMemo } from 'react';
import type { Tile } from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { runningText } from '../../../../state/explain/text/running-text.ts';
import type { Factors } from '../../../../state/variations/controls.ts';
import type { WhatIfStore } from '../../../../state/variations/what-if-store.ts';
import { whatIfWords } from '../../../../words/en/explain/what-if.ts';
import { useStoreValue, useValueOf } from '../../../use-stores.ts';
import { SizedPicture } from '../../prompt/prompt-picture.tsx';
import { useSectionLinks } from '../../result/section-links.ts';
import { factorText, strengthText, tileName, timesFactor, visibleText } from '../../texts.ts';
import styles from './what-if.module.css';

/** See `PromptChoice`. */
export interface PromptChoiceProps {
  readonly outcome: Outcome;
  readonly store: WhatIfStore;
  readonly onChoose: (id: string) => void;
}

/** The prompt in the sections of the result, to choose one; those that are changed carry their factor. */
export function PromptChoice({ outcome, store, onChoose }: PromptChoiceProps) {
  const { influence, question } = outcome;
  const factors = useValueOf(store, (state) => state.factors);
  const { stop, links } = useSectionLinks();
  const { onClick: _, onKeyDown, ...rest } = links; // choosing a section again keeps it chosen
  const reachable = influence.sections.find(({ id }) => id === stop)?.id ?? influence.sections[0]?.id;
  const marks = { factors, reachable };
  const choose = (target: EventTarget) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-section]') : null;
    if (element?.dataset['section']) onChoose(element.dataset['section']);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return onKeyDown(event);
    event.preventDefault();
    choose(event.target);
  };
  return (
    // The elements inside take the focus; a listener for each of a thousand of them would be slow.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- as the frame of a heat map
    <div
      role="group"
      aria-label={whatIfWords().prompt}
      data-testid="what-if-prompt"
      {...rest}
      onClick={(event) => choose(event.target)}
      onKeyDown={onKey}
    >
      {question.picture && (
        <SizedPicture picture={question.picture}>
          <Tiles tiles={influence.picture} {...marks} />
        </SizedPicture>
      )}
      {question.prompt !== '' && <Words text={question.prompt} sections={influence.prompt} {...marks} />}
    </div>
  );
}

interface Marks {
  readonly factors: Factors;
  /** The one section that the Tab key reaches. */
  readonly reachable: string | undefined;
}

interface WordsProps extends Marks {
  readonly text: string;
  readonly sections: Outcome['influence']['prompt'];
}

function Words({ text, sections, factors, reachable }: WordsProps) {
  const pieces = useMemo(() => runningText(text, sections), [text, sections]);
  return (
    <p className={styles.words}>
      {pieces.map(({ at, text: words, section }) =>
        section ? (
          <Word
            key={section.id}
            id={section.id}
            text={words}
            factor={factors.get(section.id) ?? 1}
            isReachable={section.id === reachable}
          />
        ) : (
          <span key={at}>{words}</span>
        ),
      )}
    </p>
  );
}

interface MarkProps {
  readonly id: string;
  readonly factor: number;
  readonly isReachable: boolean;
}

const Word = memo(function Word({ text, ...mark }: MarkProps & { readonly text: string }) {
  return (
    // A button cannot break across lines as running text must.
    <span className={styles.word} role="button" {...useMark(mark, visibleText(text))}>
      {text}
    </span>
  );
});

function Tiles({ tiles, factors, reachable }: Marks & { readonly tiles: readonly Tile[] }) {
  return tiles.map((tile) => (
    <TileButton
      key={tile.id}
      id={tile.id}
      tile={tile}
      factor={factors.get(tile.id) ?? 1}
      isReachable={tile.id === reachable}
    />
  ));
}

const TileButton = memo(function TileButton({ tile, ...mark }: MarkProps & { readonly tile: Tile }) {
  return <button type="button" className={styles.tile} style={placeStyle(tile)} {...useMark(mark, tileName(tile))} />;
});

function placeStyle({ rect }: Tile): CSSProperties {
  const share = (value: number) => `${value * 100}%`;
  return { left: share(rect.left), top: share(rect.top), width: share(rect.width), height: share(rect.height) };
}

/** What the element of a section carries; the style sheet shows the factor without colours, which stand for influence. */
function useMark({ id, factor, isReachable }: MarkProps, name: string) {
  const isPinned = useStoreValue('selection', (state) => state.pinned === id);
  return {
    tabIndex: isReachable ? 0 : -1,
    'aria-pressed': isPinned,
    'aria-label': `${name}, ${factor === 1 ? factorText(factor) : strengthText(factor)}`,
    'data-section': id,
    'data-factor': factor === 1 ? undefined : timesFactor(factor),
    'data-change': factor === 1 ? undefined : factor < 1 ? 'less' : 'more',
  };
}
