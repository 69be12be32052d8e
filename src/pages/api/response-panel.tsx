import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApiState } from './api-store.ts';
import { foldedJson, type JsonPiece } from '../../parts/folded-json.ts';
import { apiWords } from './words.en.ts';
import { fixedText, numberText } from '../../words/language.ts';
import { CopyButton } from '../../parts/buttons.tsx';
import { Code } from '../../parts/layout/blocks.tsx';
import { useStoreValue } from '../../stores/use-stores.ts';
import styles from './response-panel.module.css';

/** The response: status, time, size, headers and body. */
export function ResponsePanel() {
  const { label } = apiWords().response;
  return (
    <section className={styles.card} aria-label={label}>
      <h2 className={styles.title}>{label}</h2>
      <Content />
    </section>
  );
}

function Content() {
  const phase = useStoreValue('api', (state) => state.phase);
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
      return <AnswerDetails answer={phase.answer} />;
  }
}

type Answer = Extract<ApiState['phase'], { kind: 'answered' }>['answer'];

function AnswerDetails({ answer }: { readonly answer: Answer }) {
  const { status, headers, text, ms } = answer;
  return (
    <>
      <div className={styles.head}>
        <p className={styles.facts} role="status">
          <span className={styles.status} data-ok={status < 400} data-testid="api-status">
            {statusText(status)}
          </span>
          <span>{responseDurationText(ms)}</span>
          <span>{bodySizeText(text)}</span>
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

/** JSON folded and indented; other texts unchanged. */
function Body({ text }: { readonly text: string }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  return (
    <Code label={apiWords().response.body} testId="api-answer" className={styles.body}>
      {pieces.map((piece) => (piece.kind === 'text' ? piece.text : <Fold key={piece.at} piece={piece} />))}
    </Code>
  );
}

function piecesOf(text: string): JsonPiece[] {
  try {
    return foldedJson(JSON.parse(text));
  } catch {
    return [{ kind: 'text', text }];
  }
}

function Fold({ piece }: { readonly piece: Extract<JsonPiece, { kind: 'fold' }> }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <Unfolded text={piece.all()} />;
  return (
    <button type="button" className={styles.fold} onClick={() => setIsOpen(true)} data-content>
      {apiWords().response.more(numberText(piece.count))}
    </button>
  );
}

/** The unfolded text; it gets the focus of the button that it replaces. */
function Unfolded({ text }: { readonly text: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <span tabIndex={-1} ref={element}>
      {text}
    </span>
  );
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

/** `200 OK`; only the number for a status that the contract does not have. */
export function statusText(status: number): string {
  return [status, REASONS[status]].filter((part) => part !== undefined).join(' ');
}

/** `85 ms`; from ten seconds `12.3 s`. */
export function responseDurationText(ms: number): string {
  return ms < 10_000 ? `${numberText(Math.round(ms), { useGrouping: false })} ms` : `${fixedText(ms / 1000, 1)} s`;
}

/** Size of a text as UTF-8: `512 B`, `2.7 kB`, `1.2 MB`. */
export function bodySizeText(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${fixedText(bytes / 1000, 1)} kB` : `${fixedText(bytes / 1e6, 1)} MB`;
}
