import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FromTab, Presence } from '../../src/protocol/frames/frames.ts';
import { createAllowance } from './allowance.ts';
import { readFrame } from './frame.ts';
import { createTab, type FollowedTab, type Tab, type TabLimits } from './tab.ts';

/** What one line may cost the server. Any page of this origin and any program of this machine can open one. */
export interface LineLimits extends TabLimits {
  /** Of a message from a tab that was never asked anything: it has only its presence to tell. */
  readonly maxIdleBytes: number;
  /** How long a line may take to say what it is. */
  readonly presenceMs: number;
}

/** Frames that answer nothing: presence, pings, and what is said of a request that nobody waits for any more. */
const IDLE_FRAMES = { burst: 2000, perSecond: 200 };

/** Reasons to hang up, as WebSocket knows them. */
const POLICY_VIOLATION = 1008;
const MESSAGE_TOO_BIG = 1009;
const INTERNAL_ERROR = 1011;

/** How long a socket that is closed may take to say goodbye. */
export const GOODBYE_MS = 500;

/** A WebSocket's reason has at most 123 bytes; a character that is cut in two becomes one of three bytes. */
const MAX_REASON_BYTES = 120;

/**
 * One tab from its connection to its end; it is in `tabs` from when it has said what it is.
 *
 * @param raw  what the socket reads from: it shows how much of a message has come before all of it has
 */
export function follow(socket: WebSocket, raw: Duplex, tabs: Set<Tab>, limits: LineLimits): void {
  let followed: FollowedTab | null = null;
  const end = createEnd(socket, () => {
    clearTimeout(introduction);
    if (followed) tabs.delete(followed.tab);
    followed?.lose();
  });
  const onLate = () => end.cut(POLICY_VIOLATION, `expected presence within ${limits.presenceMs / 1000} s`);
  const introduction = setTimeout(onLate, limits.presenceMs).unref();
  const mayIdle = createIdling(end);
  const onPresence = (presence: Presence) => {
    if (!mayIdle()) return;
    clearTimeout(introduction);
    followed ??= createTab(socket, presence, limits);
    followed.see(presence);
    tabs.add(followed.tab);
  };
  const onFrame = (frame: FromTab) => {
    if (followed) followed.tab.isSilent = false;
    if (frame.type === 'presence') return onPresence(frame);
    const taken = followed?.take(frame) ?? 'idle';
    if (taken === 'idle') mayIdle();
    else if (taken !== 'taken') end.cut(POLICY_VIOLATION, taken.problem);
  };
  const message = watchSize(raw, (unfinishedBytes) => {
    if (end.isCut) raw.destroy(); // it was told, and goes on
    else if (!followed?.wasAsked && unfinishedBytes > limits.maxIdleBytes)
      end.cut(MESSAGE_TOO_BIG, `expected at most ${limits.maxIdleBytes} bytes from a tab that was asked nothing`);
  });
  socket.on('message', (data, isBinary) => {
    message.end();
    if (!end.isCut) read(isBinary ? null : String(data), onFrame, end);
  });
  socket.on('ping', (data) => {
    message.end();
    // `ws` by itself would keep an answer to each, whether or not anybody reads them.
    if (mayIdle() && socket.bufferedAmount === 0) socket.pong(data);
  });
  socket.on('pong', mayIdle);
  socket.on('error', () => socket.terminate()); // a broken or oversized message; `close` follows
  socket.on('close', end.lose);
}

/** @param text  null for a message of bytes */
function read(text: string | null, onFrame: (frame: FromTab) => void, end: End): void {
  const checked = text === null ? { ok: false as const, reason: 'expected text' } : readFrame(text);
  if (!checked.ok) return end.cut(POLICY_VIOLATION, checked.reason);
  try {
    onFrame(checked.frame);
  } catch (error) {
    console.error(error); // a defect of ours: it costs this tab its line, not everybody the server
    end.cut(INTERNAL_ERROR, 'the frame could not be handled');
  }
}

type End = ReturnType<typeof createEnd>;

/** How a line ends: by itself, or cut with a reason. */
function createEnd(socket: WebSocket, lose: () => void) {
  let isCut = false;
  return {
    lose,
    get isCut() {
      return isCut;
    },
    cut(code: number, reason: string) {
      isCut = true;
      socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString());
      setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
      lose(); // at once: a tab that breaks the rules may take its time to hang up
    },
  };
}

/** Takes what answers nothing; false when there is too much of it, or the line is cut. */
function createIdling(end: End): () => boolean {
  const mayPass = createAllowance(IDLE_FRAMES);
  return () => {
    if (!end.isCut && !mayPass())
      end.cut(POLICY_VIOLATION, `expected at most ${IDLE_FRAMES.perSecond} frames per second that answer nothing`);
    return !end.isCut;
  };
}

/** Tells, before anything of a chunk is read, how much has come of a message that is not finished. */
function watchSize(raw: Duplex, onChunk: (unfinishedBytes: number) => void): { end(): void } {
  let unfinishedBytes = 0;
  raw.prependListener('data', (chunk: Buffer) => {
    unfinishedBytes += chunk.length;
    onChunk(unfinishedBytes);
  });
  return { end: () => void (unfinishedBytes = 0) };
}
