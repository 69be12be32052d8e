import type { Outcome } from '../../../../state/explain/outcome.ts';
import type { PredictBody } from '../../../../contract/likelihood/predict.ts';
import { prettyJson } from '../../../../state/api/folded-json.ts';
import { hashOfPage } from '../../../../state/page/page-store.ts';
import { bodyWith } from '../../../../state/variations/controls.ts';
import type { WhatIfStore } from '../../../../state/variations/what-if-store.ts';
import { whatIfWords } from '../../../../words/en/explain/what-if.ts';
import { CopyButton } from '../../../parts/buttons.tsx';
import code from '../../../parts/layout/code.module.css';
import { Code } from '../../../parts/layout/code.tsx';
import { useStores, useStoreValue, useValueOf } from '../../../use-stores.ts';
import panel from '../../result/result-panel.module.css';
import table from '../../result/score-table.module.css';
import styles from './what-if.module.css';

/** See `ControlsFold`. */
export interface ControlsFoldProps {
  readonly outcome: Outcome;
  readonly store: WhatIfStore;
}

/** The changes as the API has them: controls of the prompt's items. */
export function ControlsFold({ outcome, store }: ControlsFoldProps) {
  const { api } = useStores();
  const model = useStoreValue('engine', (state) => state.model);
  const factors = useValueOf(store, (state) => state.factors);
  const words = whatIfWords().request;
  const body = bodyWith(outcome, factors, model);
  const send = () => {
    const { choose, edit } = api.getState();
    choose('predict');
    edit(prettyJson(body));
  };
  return (
    <details className={`${table.fold} ${styles.fold}`}>
      <summary>{words.title}</summary>
      <p className={panel.note}>{words.about}</p>
      <Code label={words.controls} testId="what-if-controls" className={code.code}>
        {prettyJson(controlsIn(body))}
      </Code>
      <div>
        <CopyButton label={words.copyControls} text={() => prettyJson(controlsIn(body))} />
        <CopyButton label={words.copyRequest} text={() => prettyJson(body)} />
        <a href={hashOfPage('api')} onClick={send}>
          {words.open}
        </a>
      </div>
    </details>
  );
}

/** The controls of all items, in the order of the prompt. */
function controlsIn({ prompt }: PredictBody): unknown[] {
  return typeof prompt === 'string' ? [] : prompt.flatMap((item): unknown[] => item.controls ?? []);
}
