import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Section } from '../../../explanations/influence.ts';
import type { Outcome } from '../../../explanations/outcome.ts';
import heat from '../../../figures/heat/heat-map.module.css';
import { useHeatData } from '../../../figures/heat/heat-map.tsx';
import panel from '../../../figures/panel.module.css';
import table from '../../../figures/score-table.module.css';
import { useLinkedElement } from '../../../figures/section-links.ts';
import { FACTORS, sectionPhrase, strengthText } from '../../../figures/texts.ts';
import { Button, CopyButton } from '../../../parts/buttons.tsx';
import { StopsSlider } from '../../../parts/fields/choice.tsx';
import { prettyJson } from '../../../parts/folded-json.ts';
import code from '../../../parts/layout/code.module.css';
import { Code } from '../../../parts/layout/blocks.tsx';
import { hashOfPage } from '../../../stores/page-store.ts';
import { useStores, useStoreValue, useValueOf } from '../../../stores/use-stores.ts';
import { numberText } from '../../../words/language.ts';
import { SideBySide } from './side-by-side.tsx';
import { bodyWith, type WhatIfStore, whatIfStoreOf } from './what-if-store.ts';
import styles from './what-if.module.css';
import { whatIfWords } from './words.en.ts';

/** Changes the attention to parts of the prompt, and shows the prediction with the changes beside that of the outcome. */
export function WhatIfPanel({ outcome }: { readonly outcome: Outcome }) {
  const { selection, variations } = useStores();
  const store = whatIfStoreOf(outcome, variations.getState().source);
  const { area, focusOn } = useFocus();
  const words = whatIfWords();
  const leave = (id: string) => area.current?.querySelector('lightwell-heat-map')?.focusOn(id);
  const choose = (id: string) => focusOn(`[data-row="${id}"] input`);
  /** The row of a section that is not changed any more stays while it is pinned. */
  const keep = (id: string) => {
    const { pinned, pin } = selection.getState();
    if (pinned !== id) pin(id);
    choose(id);
  };
  return (
    <section className={styles.panel} aria-label={words.label} data-testid="what-if-panel" ref={area}>
      <h3 className={panel.blockTitle} tabIndex={-1}>
        {words.title}
      </h3>
      <p className={panel.note}>{outcome.question.picture ? words.chooseTiles : words.chooseWords}</p>
      <PromptChoice outcome={outcome} onChoose={choose} />
      <Rows outcome={outcome} store={store} onReset={keep} onLeave={leave} />
      <ResetAll store={store} onReset={() => focusOn('h3')} />
      <SideBySide outcome={outcome} store={store} onRetry={() => focusOn('[data-summary]')} />
      <ControlsFold outcome={outcome} store={store} />
    </section>
  );
}

/** Moves the focus after the panel has been drawn again, such as to a slider that has just appeared. */
function useFocus() {
  const area = useRef<HTMLElement>(null);
  const [wanted, setWanted] = useState<{ readonly selector: string } | null>(null);
  useEffect(() => {
    if (wanted) area.current?.querySelector<HTMLElement>(wanted.selector)?.focus();
  }, [wanted]);
  return { area, focusOn: (selector: string) => setWanted({ selector }) };
}

interface PanelProps {
  readonly outcome: Outcome;
  readonly store: WhatIfStore;
}

/** The prompt by influence, to choose a section whose attention is changed. */
function PromptChoice({ outcome, onChoose }: { readonly outcome: Outcome; readonly onChoose: (id: string) => void }) {
  return (
    <lightwell-heat-map
      ref={useLinkedElement()}
      className={`${heat.unscaled} ${styles.prompt}`}
      data={useHeatData(outcome.question, outcome.influence)}
      view={useStoreValue('selection', (state) => state.view)}
      texts={{ text: whatIfWords().prompt }}
      data-testid="what-if-prompt"
      onlightwell-select={({ detail }) => detail && onChoose(detail.id)}
    />
  );
}

interface RowsProps extends PanelProps {
  readonly onReset: (id: string) => void;
  /** Escape: back to the section in the text. */
  readonly onLeave: (id: string) => void;
}

/** A slider for each section that is changed, and for the one that is picked. */
function Rows({ outcome, store, onReset, onLeave }: RowsProps) {
  const factors = useValueOf(store, (state) => state.factors);
  const pinned = useStoreValue('selection', (state) => state.pinned);
  const { change } = store.getState();
  return outcome.influence.sections
    .filter(({ id }) => id === pinned || factors.has(id))
    .map((section) => (
      <FactorRow
        key={section.id}
        section={section}
        factor={factors.get(section.id) ?? 1}
        onChange={(factor) => change(section.id, factor)}
        onReset={() => {
          change(section.id, 1);
          onReset(section.id);
        }}
        onLeave={() => onLeave(section.id)}
      />
    ));
}

/** Stops of the attention to a part of the prompt, 0 to 4. */
export const ATTENTION_STOPS: readonly number[] = [...FACTORS, 2.5, 3, 3.5, 4];

function FactorRow(props: {
  readonly section: Section;
  readonly factor: number;
  readonly onChange: (factor: number) => void;
  readonly onReset: () => void;
  readonly onLeave: () => void;
}) {
  const { section, factor, onChange, onReset, onLeave } = props;
  const words = whatIfWords();
  const name = sectionPhrase(section);
  const text = strengthText(factor);
  const leaveOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave();
  };
  return (
    <div className={styles.row} role="group" aria-label={name} data-row={section.id} data-testid="factor-row">
      <span className={styles.name}>{name}</span>
      <span className={styles.value}>{text}</span>
      <StopsSlider
        label={words.slider(name)}
        stops={ATTENTION_STOPS}
        value={factor}
        text={text}
        onChange={onChange}
        onKeyDown={leaveOnEscape}
      />
      {factor !== 1 && (
        <Button look="quiet" aria-label={words.resetOne(name)} onClick={onReset} onKeyDown={leaveOnEscape}>
          {words.reset}
        </Button>
      )}
    </div>
  );
}

function ResetAll({ store, onReset }: { readonly store: WhatIfStore; readonly onReset: () => void }) {
  const count = useValueOf(store, (state) => state.factors.size);
  if (count < 2) return null;
  const reset = () => {
    store.getState().reset();
    onReset();
  };
  return (
    <div>
      <Button look="quiet" onClick={reset}>
        {whatIfWords().resetAll(numberText(count))}
      </Button>
    </div>
  );
}

/** The changes as the API has them: controls of the prompt's items. */
function ControlsFold({ outcome, store }: PanelProps) {
  const { api } = useStores();
  const model = useStoreValue('engine', (state) => state.model);
  const factors = useValueOf(store, (state) => state.factors);
  const words = whatIfWords().request;
  const body = bodyWith(outcome, factors, model);
  const { prompt } = body;
  const controls = prettyJson(
    typeof prompt === 'string' ? [] : prompt.flatMap((item): unknown[] => item.controls ?? []),
  );
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
        {controls}
      </Code>
      <div>
        <CopyButton label={words.copyControls} text={() => controls} />
        <CopyButton label={words.copyRequest} text={() => prettyJson(body)} />
        <a href={hashOfPage('api')} onClick={send}>
          {words.open}
        </a>
      </div>
    </details>
  );
}
