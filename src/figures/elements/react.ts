import type { HTMLAttributes, Ref } from 'react';
import type { BarsElement } from './bars.ts';
import type { HeatMapElement } from './heat-map.ts';
import type { SelectedSection } from './linked-element.ts';
import type { MatrixElement } from './matrix.ts';
import type { ScoreScaleElement } from './score-scale.ts';
import type { ScoreTableElement } from './score-table.ts';

/** An element in JSX: React 19 sets its properties, so that it needs no wrapper. */
type JsxOf<Kind, Names extends keyof Kind> = Omit<HTMLAttributes<Kind>, Names> &
  Partial<Pick<Kind, Names>> & {
    readonly ref?: Ref<Kind>;
    readonly 'onlightwell-select'?: (event: CustomEvent<SelectedSection | null>) => void;
  };

/** Properties of every element that shows scores. */
type ScoredNames = 'text' | 'scores' | 'targets' | 'unit' | 'data' | 'view' | 'hovered' | 'pinned';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'lightwell-bars': JsxOf<BarsElement, ScoredNames>;
      'lightwell-heat-map': JsxOf<HeatMapElement, ScoredNames | 'largest' | 'texts' | 'settings'>;
      'lightwell-matrix': JsxOf<MatrixElement, ScoredNames | 'order' | 'isWhole'>;
      'lightwell-scale': JsxOf<ScoreScaleElement, 'largest' | 'texts'>;
      'lightwell-score-table': JsxOf<ScoreTableElement, 'label' | 'sections' | 'view' | 'settings' | 'unit'>;
    }
  }
}
