import type { FromTab } from '../../src/protocol/frames/frames.ts';
import { FROM_TAB } from '../../src/protocol/frames/frame-schema.ts';

/** A frame, or what is wrong with the text in its place. */
export type ReadFrame =
  | { readonly ok: true; readonly frame: FromTab }
  | { readonly ok: false; readonly reason: string };

/** What came over the line from a tab, checked: any page of this origin can open it. */
export function readFrame(data: string): ReadFrame {
  const value = parsed(data);
  if (value === undefined) return { ok: false, reason: 'expected a frame in JSON' };
  const { success, data: frame, error } = FROM_TAB.safeParse(value);
  if (success) return { ok: true, frame };
  const [issue] = error.issues;
  return { ok: false, reason: `${issue?.path.map(String).join('.') || 'frame'}: ${issue?.message}` };
}

/** How far a tab has come with its answer to one request. */
export type Phase = 'asked' | 'begun';

const AFTER: Readonly<Record<Exclude<FromTab['type'], 'presence'>, readonly Phase[]>> = {
  accepted: ['asked'],
  answer: ['asked'],
  begin: ['asked'],
  chunk: ['begun'],
  end: ['begun'],
  broken: ['asked', 'begun'],
};

/** Whether a frame may come now; `src/protocol/frames/frames.ts` has the order. */
export function mayFollow(type: keyof typeof AFTER, phase: Phase): boolean {
  return AFTER[type].includes(phase);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
