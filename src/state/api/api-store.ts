import { persist } from 'zustand/middleware';
import { createStore, type StateCreator, type StoreApi } from 'zustand/vanilla';
import type { RawAnswer, RawCall } from '../../client/raw-call.ts';
import { asIs, createFieldStorage } from '../field-storage.ts';
import type { Memory } from '../memory.ts';
import { type Operation, OPERATION_NAMES, type OperationName, operationsFor } from './api-operations.ts';
import { prettyJson } from './folded-json.ts';

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
  /** Sends the request; an older one is aborted. */
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
  readonly token: () => string;
}

type Kept = Pick<ApiState, 'operation' | 'bodies'>;

/** The store of the API page, as it was left. */
export function createApiStore(options: ApiStoreOptions, memory: Memory): ApiStore {
  return createStore<ApiState>()(
    persist(initialState(options), {
      name: 'lightwell.api',
      storage: createFieldStorage<Kept>(memory, { operation: asIs, bodies: asIs }),
      partialize: ({ operation, bodies }) => ({ operation, bodies }),
      merge: (kept, current) => ({ ...current, ...readKept(kept) }),
    }),
  );
}

function initialState({ call, model, token }: ApiStoreOptions): StateCreator<ApiState> {
  let current: AbortController | null = null;
  return (set, get) => {
    const cancel = () => {
      current?.abort();
      current = null;
      set({ phase: { kind: 'idle' } });
    };
    return {
      operations: operationsFor(model),
      operation: OPERATION_NAMES[0],
      bodies: {},
      phase: { kind: 'idle' },
      token,
      choose(operation) {
        cancel();
        set({ operation });
      },
      edit: (body) => set(({ bodies, operation }) => ({ bodies: { ...bodies, [operation]: body } })),
      reset() {
        const { [get().operation]: _edited, ...bodies } = get().bodies;
        set({ bodies });
      },
      async send() {
        cancel();
        const controller = new AbortController();
        current = controller;
        set({ phase: { kind: 'sending' } });
        const phase = await answered(call, get(), controller.signal);
        if (current === controller) set({ phase });
      },
      cancel,
    };
  };
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

/** The body of the chosen operation, as edited; null for one that has none. */
export function bodyOf({ operations, operation, bodies }: Pick<ApiState, 'operations' | 'operation' | 'bodies'>) {
  const { example } = operations[operation];
  return example && (bodies[operation] ?? prettyJson(example));
}

/** What can be used of a kept value of unknown origin. */
function readKept(kept: unknown): Partial<Kept> {
  if (typeof kept !== 'object' || kept === null) return {};
  const operation = 'operation' in kept && isName(kept.operation) ? kept.operation : OPERATION_NAMES[0];
  const bodies = Object.entries('bodies' in kept ? (kept.bodies ?? {}) : {});
  const texts = bodies.filter(([name, text]) => isName(name) && typeof text === 'string');
  return { operation, bodies: Object.fromEntries(texts) };
}

function isName(value: unknown): value is OperationName {
  return OPERATION_NAMES.some((name) => name === value);
}
