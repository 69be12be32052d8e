import { bodyOf, operationsFor, requestOf } from '../../state/api/api-operations.ts';
import { OPERATION_NAMES, type ApiStore, type OperationName } from '../../state/api/api-store.ts';
import { apiWords } from '../../words/en/api.ts';
import { Button } from '../parts/buttons.tsx';
import { EnterKeys, useEnterShortcut } from '../parts/enter-shortcut.tsx';
import { GrowingTextarea } from '../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../parts/fields/label-row.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import styles from './request-panel.module.css';

/** UTF-16 units of a pasted body: that of a picture of usual size in base64. */
const LONGEST_BODY = 1_000_000;

/** The request: operation, body, and the button that sends it. */
export function RequestPanel() {
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

function sendFrom(api: ApiStore): void {
  const state = api.getState();
  void state.send(requestOf(state));
}

function OperationList() {
  const { api } = useStores();
  const words = apiWords();
  const chosen = useStoreValue('api', (state) => state.operation);
  const operations = operationsFor(useStoreValue('api', (state) => state.model));
  return (
    <fieldset className={styles.operations}>
      <legend className={styles.operationsLabel}>{words.request.operation}</legend>
      {OPERATION_NAMES.map((name: OperationName) => (
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
  const body = useStoreValue('api', bodyOf);
  if (body === null) return null;
  const words = apiWords().request;
  const problem = problemIn(body);
  return (
    <div className={styles.field}>
      <LabelRow htmlFor="body" label={words.body}>
        <ResetButton />
      </LabelRow>
      <div className={styles.code}>
        <GrowingTextarea
          mostPasted={LONGEST_BODY}
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

/** Restores the example, and then what it has replaced. */
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

/** What the browser says about a text that is no JSON; null for one that is. */
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
