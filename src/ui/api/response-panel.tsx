import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApiPhase } from '../../state/api/api-store.ts';
import { foldedJson, type Piece } from '../../state/api/folded-json.ts';
import { apiWords } from '../../words/en/api.ts';
import { numberText } from '../../words/numbers.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { Code } from '../parts/layout/code.tsx';
import { useStoreValue } from '../use-stores.ts';
import { durationText, sizeText, statusText } from './answer-text.ts';
import styles from './response-panel.module.css';

/** The response: status, time, size, headers and body. */
export function ResponsePanel() {
  const phase = useStoreValue('api', (state) => state.phase);
  const { label } = apiWords().response;
  return (
    <section className={styles.card} aria-label={label}>
      <h2 className={styles.title}>{label}</h2>
      <Content phase={phase} />
    </section>
  );
}

type Answer = Extract<ApiPhase, { kind: 'answered' }>['answer'];

function Content({ phase }: { readonly phase: ApiPhase }) {
  const words = apiWords().response;
  switch (phase.kind) {
    case 'idle':
      return <p className={styles.note}>{words.idle}</p>;
    case 'sending':
      return (
        <p className={styles.note} role="status">
          {words.waiting}
        </p>
      );
    case 'failed':
      return (
        <p className={styles.problem} role="alert">
          {phase.message}
        </p>
      );
    case 'answered':
      return <Shown answer={phase.answer} />;
  }
}

function Shown({ answer }: { readonly answer: Answer }) {
  const { status, headers, text, ms } = answer;
  return (
    <>
      <div className={styles.head}>
        <p className={styles.facts} role="status">
          <span className={styles.status} data-ok={status < 400} data-testid="api-status">
            {statusText(status)}
          </span>
          <span>{durationText(ms)}</span>
          <span>{sizeText(text)}</span>
        </p>
        <CopyButton label={apiWords().response.copy} text={() => text} />
      </div>
      <dl className={styles.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Body key={ms} text={text} />
    </>
  );
}

/** JSON folded and indented; anything else as it is. */
function Body({ text }: { readonly text: string }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  return (
    <Code label={apiWords().response.body} testId="api-answer" className={styles.body}>
      {pieces.map((piece) => (piece.kind === 'text' ? piece.text : <Fold key={piece.at} piece={piece} />))}
    </Code>
  );
}

function piecesOf(text: string): Piece[] {
  try {
    return foldedJson(JSON.parse(text));
  } catch {
    return [{ kind: 'text', text }];
  }
}

function Fold({ piece }: { readonly piece: Extract<Piece, { kind: 'fold' }> }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <Unfolded text={piece.all()} />;
  return (
    <button type="button" className={styles.fold} onClick={() => setIsOpen(true)}>
      {apiWords().response.more(numberText(piece.count))}
    </button>
  );
}

/** What was folded; it takes the focus of the button that was there. */
function Unfolded({ text }: { readonly text: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <span tabIndex={-1} ref={element}>
      {text}
    </span>
  );
}
