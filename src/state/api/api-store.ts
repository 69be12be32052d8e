import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RawAnswer, RawCall } from '../../client/raw-call.ts';
import { type Memory, recall, remember } from '../memory.ts';
import { type Operation, OPERATION_NAMES, type OperationName, operationsFor } from './api-operations.ts';
import { prettyJson } from './folded-json.ts';

const KEY = 'lightwell.api';

/** The one request of the page. */
export type ApiPhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'answered'; readonly answer: RawAnswer }
  /** No answer came at all. */
  | { readonly kind: 'failed'; readonly message: string };

/** The API page. */
export interface ApiState {
  readonly operations: Readonly<Record<OperationName, Operation>>;
  readonly operation: OperationName;
  /** The body of each operation as it was edited; those that are missing are as in their example. */
  readonly bodies: Readonly<Partial<Record<OperationName, string>>>;
  readonly phase: ApiPhase;
  choose(operation: OperationName): void;
  edit(body: string): void;
  /** Back to the example. */
  reset(): void;
  /** Sends the request as it stands; an older one is aborted. */
  send(): Promise<void>;
  cancel(): void;
  /** Read when it is shown: it may be replaced. */
  token(): string;
}
export type ApiStore = StoreApi<ApiState>;

/** What the page's store needs. */
export interface ApiStoreOptions {
  readonly call: RawCall;
  readonly model: string;
  readonly storage: Memory;
  readonly token: () => string;
}

/** The store of the API page, as it was left. */
export function createApiStore({ call, model, storage, token }: ApiStoreOptions): ApiStore {
  let current: AbortController | null = null;
  return createStore<ApiState>((set, get) => {
    const keep = (change: Partial<Pick<ApiState, 'operation' | 'bodies'>>) => {
      set(change);
      const { operation, bodies } = get();
      remember(storage, KEY, { operation, bodies });
    };
    const cancel = () => {
      current?.abort();
      current = null;
      set({ phase: { kind: 'idle' } });
    };
    const send = async () => {
      cancel();
      const controller = new AbortController();
      current = controller;
      set({ phase: { kind: 'sending' } });
      const phase = await answered(call, get(), controller.signal);
      if (current === controller) set({ phase });
    };
    return {
      operations: operationsFor(model),
      ...restored(storage),
      phase: { kind: 'idle' },
      token,
      choose(operation) {
        cancel();
        keep({ operation });
      },
      edit: (body) => keep({ bodies: { ...get().bodies, [get().operation]: body } }),
      reset() {
        const { [get().operation]: _edited, ...bodies } = get().bodies;
        keep({ bodies });
      },
      send,
      cancel,
    };
  });
}

async function answered(call: RawCall, state: ApiState, signal: AbortSignal): Promise<ApiPhase> {
  const { method } = state.operations[state.operation];
  try {
    const answer = await call({ method, path: `/${state.operation}`, body: bodyOf(state), signal });
    return { kind: 'answered', answer };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** The body of the chosen operation as it stands; null for one that has none. */
export function bodyOf({ operations, operation, bodies }: Pick<ApiState, 'operations' | 'operation' | 'bodies'>) {
  const { example } = operations[operation];
  return example && (bodies[operation] ?? prettyJson(example));
}

function restored(storage: Memory): Pick<ApiState, 'operation' | 'bodies'> {
  const kept = recall(storage, KEY);
  const isKept = typeof kept === 'object' && kept !== null && 'operation' in kept && 'bodies' in kept;
  if (!isKept) return { operation: OPERATION_NAMES[0], bodies: {} };
  const { operation, bodies } = kept;
  const texts = Object.entries(bodies ?? {}).filter(([name, text]) => isName(name) && typeof text === 'string');
  return { operation: isName(operation) ? operation : OPERATION_NAMES[0], bodies: Object.fromEntries(texts) };
}

function isName(value: unknown): value is OperationName {
  return OPERATION_NAMES.some((name) => name === value);
}
