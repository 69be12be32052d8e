import { defaultFactor } from '../../client/ask-defaults.ts';
import type { RawCall } from '../../client/raw-call.ts';
import type { StoreApi } from 'zustand/vanilla';
import { createLatest } from '../../stores/latest-request.ts';
import type { ServiceSettings } from '../../contract/settings.ts';
import { messageOf } from '../../contract/failure.ts';
import { type BufferedStorage, createPersistentStore } from '../../stores/buffered-storage.ts';

/** Operations of the contract, in the order of the menu. */
export const OPERATION_NAMES = [
  'explain',
  'complete',
  'complete/json',
  'chat/completions',
  'evaluate',
  'predict',
  'lens',
  'embed',
  'semantic_embed',
  'batch_semantic_embed',
  'instructable_embed',
  'embeddings',
  'rerank',
  'tokenize',
  'detokenize',
  'steering_concepts',
  'qa',
  'model-settings',
  'models_available',
  'version',
  'openapi.json',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

type ApiPhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'answered'; readonly answer: Awaited<ReturnType<RawCall>> }
  /** There was no response. */
  | { readonly kind: 'failed'; readonly message: string };

/** The state of the API page. */
export interface ApiState {
  /** Named in the examples. */
  readonly model: string;
  /** Factor of explanations of this model; read at each use, since it can be measured meanwhile. */
  factor(): number;
  readonly operation: OperationName;
  /** The edited body of each operation; without one, the example is sent. */
  readonly bodies: Readonly<Partial<Record<OperationName, string>>>;
  readonly phase: ApiPhase;
  /** The edited body that the example has replaced, until the next edit or choice of an operation; null if there is none. */
  readonly replaced: string | null;
  choose(operation: OperationName): void;
  edit(body: string): void;
  /** Restores the example. */
  reset(): void;
  /** Restores the body that the example has replaced. */
  undo(): void;
  /** Sends a request; an older one is aborted. */
  send(request: Omit<Parameters<RawCall>[0], 'signal'>): Promise<void>;
  cancel(): void;
  /** Read when it is shown, since it can be replaced. */
  token(): string;
}

/** The store of the API page, with the operation and bodies of the last visit. */
export function createApiStore(
  {
    call,
    model,
    token,
    settings,
  }: {
    readonly call: RawCall;
    readonly model: string;
    readonly token: () => string;
    readonly settings: { get(): Pick<ServiceSettings, 'calibrations'> };
  },
  memory: BufferedStorage,
): StoreApi<ApiState> {
  const latest = createLatest();
  return createPersistentStore<ApiState, 'operation' | 'bodies'>(
    'lightwell.api',
    memory,
    { operation: (stored) => (isName(stored) ? stored : OPERATION_NAMES[0]), bodies: readBodies },
    (set, get) => ({
      model,
      factor: () => defaultFactor(model, settings.get()),
      operation: OPERATION_NAMES[0],
      bodies: {},
      phase: { kind: 'idle' },
      replaced: null,
      token,
      choose(operation) {
        get().cancel();
        set({ operation, replaced: null });
      },
      edit: (body) => set(({ bodies, operation }) => ({ bodies: { ...bodies, [operation]: body }, replaced: null })),
      reset() {
        const { [get().operation]: edited, ...bodies } = get().bodies;
        set({ bodies, replaced: edited ?? null });
      },
      undo() {
        const { replaced, edit } = get();
        if (replaced !== null) edit(replaced);
      },
      async send(request) {
        set({ phase: { kind: 'sending' } });
        const phase = await latest.run<ApiPhase>({
          request: async ({ signal }) => ({ kind: 'answered', answer: await call({ ...request, signal }) }),
          onError: (error) => ({ kind: 'failed', message: messageOf(error) }),
        });
        if (phase) set({ phase });
      },
      cancel() {
        latest.cancel();
        set({ phase: { kind: 'idle' } });
      },
    }),
  );
}

function readBodies(stored: unknown): ApiState['bodies'] {
  const bodies = Object.entries(stored ?? {});
  return Object.fromEntries(bodies.filter(([name, text]) => isName(name) && typeof text === 'string'));
}

function isName(value: unknown): value is OperationName {
  return OPERATION_NAMES.some((name) => name === value);
}
