import { useState } from 'react';
import { Button, CopyButton, EnterKeys, useEnterShortcut } from '../../parts/buttons.tsx';
import { StatusDot } from '../../parts/feedback/status.tsx';
import { Choice, LabelRow } from '../../parts/fields/choice.tsx';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { Code } from '../../parts/layout/blocks.tsx';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { Sentence } from '../../parts/sentence.tsx';
import type { BridgeStatus, ServiceWorkerStatus } from '../../stores/status-stores.ts';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import styles from './api-page.module.css';
import { type ApiState, OPERATION_NAMES } from './api-store.ts';
import { ResponsePanel } from './response-panel.tsx';
import { apiRequestOf, apiUrl, operationsFor, SNIPPETS } from './snippets.ts';
import { apiWords } from './words.en.ts';

/** A request, its response, the same request as code for programs outside the page, and how they reach it. */
export function ApiPage() {
  const words = apiWords();
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <div className={styles.columns}>
        <RequestPanel />
        <div className={styles.column}>
          <ResponsePanel />
          <SnippetPanel />
        </div>
      </div>
      <TransportsList />
    </PageLayout>
  );
}

/** Names of the languages; that of the client is translated. */
const NAMES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' };

type Language = keyof typeof SNIPPETS;
const LANGUAGES = Object.keys(SNIPPETS) as Language[]; // `Object.keys` returns strings

const HIDDEN_TOKEN = 'YOUR_TOKEN';

/** The same request from outside the page. The token is shown only on demand: it gives access to this tab. */
function SnippetPanel() {
  const [language, setLanguage] = useState<Language>('curl');
  const [showsToken, setShowsToken] = useState(false);
  const name = useStoreValue('api', (state) => state.operation);
  const method = useStoreValue('api', (state) => apiRequestOf(state).method);
  const body = useStoreValue('api', (state) => apiRequestOf(state).body);
  const hasBridge = useStoreValue('transports', (state) => state.bridge !== 'absent');
  const token = useStoreValue('api', (state) => state.token);
  const words = apiWords().snippet;
  const code = (shown: string) =>
    SNIPPETS[language]({ name, method, body, baseUrl: apiUrl(document.baseURI).href, token: shown });
  const nameOf = (value: Language) => (value === 'client' ? words.python : NAMES[value]);
  return (
    <section className={styles.card} aria-label={words.label}>
      <div className={styles.head}>
        <h2 className={styles.title}>{words.title}</h2>
        <Choice
          label={words.language}
          options={LANGUAGES.map((value) => ({ value, label: nameOf(value) }))}
          value={language}
          onChoose={setLanguage}
        />
      </div>
      <Code label={words.code(nameOf(language))} testId="snippet" className={styles.snippetCode}>
        {code(showsToken ? token() : HIDDEN_TOKEN)}
      </Code>
      <div className={styles.foot}>
        <label className={styles.check}>
          <input type="checkbox" checked={showsToken} onChange={(event) => setShowsToken(event.target.checked)} />
          {words.showToken}
        </label>
        <CopyButton label={words.copyCode} text={() => code(token())} />
        <CopyButton label={words.copyToken} text={token} />
      </div>
      {!hasBridge && (
        <p className={styles.note}>
          <Sentence text={words.noBridge} parts={{ command: <code>npm start</code> }} />
        </p>
      )}
    </section>
  );
}

function TransportsList() {
  const bridge = useStoreValue('transports', (state) => state.bridge);
  const serviceWorker = useStoreValue('transports', (state) => state.serviceWorker);
  const reason = useStoreValue('transports', (state) => state.reason);
  const api = apiUrl(document.baseURI);
  const words = apiWords().transports;
  return (
    <ul className={styles.list} aria-label={words.label}>
      <Transport state="open" name={words.page} code="lightwell.fetch('/embed', …)" text={words.pageText} />
      <Transport
        state={stateOf(serviceWorker)}
        name={words.tabs}
        code={`fetch('${api.pathname}/embed', …)`}
        text={serviceWorker === 'failed' && reason ? reason : words.serviceWorker[serviceWorker]}
      />
      <Transport
        state={stateOf(bridge)}
        name={words.programs}
        code={`curl ${api.href}/embed …`}
        text={words.bridge[bridge]}
      />
    </ul>
  );
}

function stateOf(status: BridgeStatus | ServiceWorkerStatus): keyof typeof DOT_LOOKS {
  if (status === 'connected' || status === 'active') return 'open';
  return status === 'connecting' || status === 'starting' ? 'waiting' : 'closed';
}

const DOT_LOOKS = { open: 'lit', waiting: 'plain', closed: 'hollow' } as const;

interface TransportProps {
  readonly state: keyof typeof DOT_LOOKS;
  readonly name: string;
  readonly code: string;
  readonly text: string;
}

function Transport({ state, name, code, text }: TransportProps) {
  return (
    <li className={styles.transport} data-state={state} data-testid="transport">
      <StatusDot look={DOT_LOOKS[state]} />
      <span className={styles.name}>
        {name}
        <span className="visually-hidden">: {apiWords().transports.states[state]}</span>
      </span>
      <code className={styles.code}>{code}</code>
      <span className={styles.text}>{text}</span>
    </li>
  );
}

/** Most UTF-16 units of a pasted body: enough for a picture of usual size in base64. */
const MAX_BODY_UNITS = 1_000_000;

function RequestPanel() {
  const { api } = useStores();
  useEnterShortcut(() => sendFrom(api));
  return (
    <section className={styles.panel} aria-label={apiWords().request.label}>
      <OperationList />
      <BodyEditor />
      <SendRow />
    </section>
  );
}

function sendFrom(api: { readonly getState: () => ApiState }): void {
  const state = api.getState();
  void state.send(apiRequestOf(state));
}

function OperationList() {
  const { api } = useStores();
  const words = apiWords();
  const chosen = useStoreValue('api', (state) => state.operation);
  const { model, factor } = useStoreValue('api', (state) => state);
  const operations = operationsFor(model, factor());
  return (
    <fieldset className={styles.operations}>
      <legend className={styles.operationsLabel}>{words.request.operation}</legend>
      {OPERATION_NAMES.map((name) => (
        <label key={name} className={styles.operation}>
          <input
            type="radio"
            className="visually-hidden"
            name="operation"
            value={name}
            checked={name === chosen}
            onChange={() => api.getState().choose(name)}
          />
          <span className={styles.method}>{operations[name].method}</span>
          <span className={styles.path}>/{name}</span>
          <span className={styles.does}>{words.does[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function BodyEditor() {
  const { api } = useStores();
  const body = useStoreValue('api', (state) => apiRequestOf(state).body);
  if (body === null) return null;
  const words = apiWords().request;
  const problem = problemIn(body);
  return (
    <div className={styles.field}>
      <LabelRow htmlFor="body" label={words.body}>
        <ResetButton />
      </LabelRow>
      <div className={styles.requestCode}>
        <GrowingTextarea
          mostPasted={MAX_BODY_UNITS}
          id="body"
          data-testid="api-body"
          value={body}
          aria-describedby="body-problem"
          onChange={(event) => api.getState().edit(event.target.value)}
        />
      </div>
      <p className={styles.problem} id="body-problem" aria-live="polite">
        {problem && words.invalid(problem)}
      </p>
    </div>
  );
}

/** Restores the example; then Undo restores the edited body. */
function ResetButton() {
  const { api } = useStores();
  const words = apiWords().request;
  const isEdited = useStoreValue('api', (state) => state.bodies[state.operation] !== undefined);
  const canUndo = useStoreValue('api', (state) => state.replaced !== null);
  const { reset, undo } = api.getState();
  if (!isEdited && !canUndo) return null;
  return (
    <Button look="quiet" onClick={canUndo ? undo : reset}>
      {canUndo ? words.undo : words.reset}
    </Button>
  );
}

/** The error of the JSON parser; null for valid JSON. */
function problemIn(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function SendRow() {
  const { api } = useStores();
  const words = apiWords().request;
  const isSending = useStoreValue('api', (state) => state.phase.kind === 'sending');
  return (
    <div className={styles.sendRow}>
      {isSending ? (
        <Button onClick={() => api.getState().cancel()}>{words.cancel}</Button>
      ) : (
        <Button look="primary" data-testid="send" onClick={() => sendFrom(api)}>
          {words.send}
        </Button>
      )}
      <EnterKeys />
    </div>
  );
}
