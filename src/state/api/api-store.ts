import { persist } from 'zustand/middleware';
import { createStore, type StateCreator, type StoreApi } from 'zustand/vanilla';
import type { RawAnswer, RawCall, RawRequest } from '../../client/raw-call.ts';
import { asIs, createFieldStorage } from '../storage/field-storage.ts';
import type { Memory } from '../storage/memory.ts';

/** Operations of the contract, in the order in which they are offered. */
export const OPERATION_NAMES = [
  'explain',
  'complete',
  'chat/completions',
  'evaluate',
  'predict',
  'lens',
  'embed',
  'semantic_embed',
  'batch_semantic_embed',
  'qa',
  'model-settings',
  'models_available',
  'version',
  'openapi.json',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** A request to send. */
export type ApiRequest = Pick<RawRequest, 'method' | 'path' | 'body'>;

/** The one request of the page. */
export type ApiPhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'answered'; readonly answer: RawAnswer }
  /** No answer came at all. */
  | { readonly kind: 'failed'; readonly message: string };

/** The API page. */
export interface ApiState {
  /** Named in the examples. */
  readonly model: string;
  readonly operation: OperationName;
  /** The edited body of each operation; a missing one is that of the example. */
  readonly bodies: Readonly<Partial<Record<OperationName, string>>>;
  readonly phase: ApiPhase;
  /** The edited body that the example has replaced, until another operation is chosen or it is edited; null: none has. */
  readonly replaced: string | null;
  choose(operation: OperationName): void;
  edit(body: string): void;
  /** Restores the example. */
  reset(): void;
  /** Brings back what the example has replaced. */
  undo(): void;
  /** Sends a request, which `requestOf` makes; an older one is aborted. */
  send(request: ApiRequest): Promise<void>;
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
    const edit = (body: string) =>
      set(({ bodies, operation }) => ({ bodies: { ...bodies, [operation]: body }, replaced: null }));
    return {
      model,
      operation: OPERATION_NAMES[0],
      bodies: {},
      phase: { kind: 'idle' },
      replaced: null,
      token,
      choose(operation) {
        cancel();
        set({ operation, replaced: null });
      },
      edit,
      reset() {
        const { [get().operation]: edited, ...bodies } = get().bodies;
        set({ bodies, replaced: edited ?? null });
      },
      undo() {
        const { replaced } = get();
        if (replaced !== null) edit(replaced);
      },
      async send(request) {
        cancel();
        const controller = new AbortController();
        current = controller;
        set({ phase: { kind: 'sending' } });
        const phase = await answered(call, request, controller.signal);
        if (current === controller) set({ phase });
      },
      cancel,
    };
  };
}

async function answered(call: RawCall, request: ApiRequest, signal: AbortSignal): Promise<ApiPhase> {
  try {
    return { kind: 'answered', answer: await call({ ...request, signal }) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** The valid part of a stored value. */
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
