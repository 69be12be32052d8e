import type { HTMLAttributes, Ref } from 'react';
import type { HeatMapElement } from './heat-map.ts';
import type { ScoreScaleElement } from './score-scale.ts';
import type { ScoreTableElement } from './score-table.ts';

/** An element in JSX: React 19 sets its properties, so that it needs no wrapper. */
type JsxOf<Kind, Names extends keyof Kind> = Omit<HTMLAttributes<Kind>, Names> &
  Partial<Pick<Kind, Names>> & { readonly ref?: Ref<Kind> };

type HeatNames =
  | 'text'
  | 'scores'
  | 'targets'
  | 'data'
  | 'view'
  | 'largest'
  | 'texts'
  | 'settings'
  | 'hovered'
  | 'pinned';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'lightwell-heat-map': JsxOf<HeatMapElement, HeatNames>;
      'lightwell-scale': JsxOf<ScoreScaleElement, 'largest' | 'texts'>;
      'lightwell-score-table': JsxOf<ScoreTableElement, 'label' | 'sections' | 'view' | 'settings'>;
    }
  }
}
