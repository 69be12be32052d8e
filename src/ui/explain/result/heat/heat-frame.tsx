import type { ReactNode } from 'react';
import { largestIn, type Section, type View } from '../../../../state/explain/influence.ts';
import { useSectionLinks } from '../section-links.ts';
import { scaleStyle } from './colour-scale.ts';

/** See `HeatFrame`. */
export interface HeatFrameProps {
  readonly testId: string;
  readonly className: string | undefined;
  /** Such as `Prompt by influence. Arrow keys move between sections.` */
  readonly label: string;
  readonly sections: readonly Section[];
  readonly view: View;
  /** Where several maps share a scale: the largest score of all of them. */
  readonly largest?: number | undefined;
  /** Draws the sections; the one with the id `reachable` is where the Tab key stops. */
  readonly children: (reachable: string | undefined) => ReactNode;
}

/** The frame of a heat map: one scale of colours for all its sections, pointer and keys that reach them. */
export function HeatFrame(props: HeatFrameProps) {
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
