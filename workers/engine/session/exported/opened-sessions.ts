import type { Session } from '../session.ts';

/** What opens sessions: ONNX Runtime's class, which the library and the engine share. */
export interface SessionMaker {
  create(...given: readonly never[]): Promise<Session>;
}

/** What the library's sessions have done. */
export interface OpenedSessions {
  /** What went wrong since it was last asked; undefined: nothing. */
  failure(): unknown;
  /** Releases those that were opened. */
  release(): Promise<void>;
}

/** Stands for a session that could not be opened. */
const NONE = { inputNames: [], outputNames: [], inputMetadata: [], outputMetadata: [] };

/**
 * Lets the library open its sessions, and keeps what fails from it: it chains its calls of ONNX Runtime, those of all its models,
 * and after one that is rejected no other is made in the life of the thread. Nor would it release the sessions of a model of which
 * one does not open.
 *
 * @param open  is called while `maker` is watched; nothing else may open sessions meanwhile
 * @source transformers.js 4.3.1, backends/onnx.js, webInitChain and webInferenceChain; session.js, constructSessions
 */
export async function watchSessions<Value>(
  maker: SessionMaker,
  open: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly sessions: OpenedSessions }> {
  const opened: Session[] = [];
  let failed: { readonly error: unknown } | undefined;
  const create = maker.create.bind(maker);
  maker.create = async (...given) => {
    try {
      const session = await create(...given);
      opened.push(session);
      return quiet(session, (error) => (failed ??= { error }));
    } catch (error) {
      failed ??= { error };
      return NONE as unknown as Session;
    }
  };
  const sessions: OpenedSessions = {
    failure() {
      const error = failed?.error;
      failed = undefined;
      return error;
    },
    release: async () => {
      for (const session of opened.splice(0)) await session.release();
    },
  };
  try {
    const value = await open();
    if (failed) throw failed.error;
    return { value, sessions };
  } catch (error) {
    await sessions.release();
    throw failed?.error ?? error;
  } finally {
    maker.create = create;
  }
}

/** The same session, whose runs never reject: they give nothing where they fail, and tell why. */
function quiet(session: Session, onFailure: (error: unknown) => void): Session {
  const run = session.run.bind(session);
  return Object.assign(session, {
    run: async (...given: Parameters<Session['run']>) => {
      try {
        return await run(...given);
      } catch (error) {
        onFailure(error);
        return {};
      }
    },
  });
}
