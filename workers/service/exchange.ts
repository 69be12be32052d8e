import type { FromTab, ToTab } from '../../src/protocol/frames/frames.ts';
import type { BodyPieces } from '../../src/contract/wire/long-body.ts';
import { createAnswer } from './answer.ts';

/** A tab of this site; whether the app is open in it shows when it accepts a request. */
export interface Tab {
  /** Hands over a request and the port for its response. */
  post(frame: ToTab, port: MessagePort): void;
  /** false when it was closed or reloaded. */
  isThere(): Promise<boolean>;
}

/** Who waits for the answer. */
export interface Caller {
  readonly signal: AbortSignal;
  isThere(): Promise<boolean>;
}

/** A request as the tab gets it. */
export type RequestFrame = Extract<ToTab, { type: 'request' }>;

/** A request, and the parts of a long body, which a tab gets when it has accepted the request. */
export interface DividedRequest {
  readonly frame: RequestFrame;
  readonly parts: BodyPieces;
}

const LOST = 'The tab that was answering went away. Send the request again.';

/** How often it is looked whether tab and caller are still there. */
const LOOK_MS = 1_000;

/** What the way may add to the tab's own time-out. */
const MARGIN_MS = 3_000;

/** Before the tab has said how long it takes at most. @source contract facts §1.1 */
const DEFAULT_TIMEOUT_MS = 300_000;

/** One request at one tab, from the hand-over until nothing more can come. */
export class Exchange {
  private readonly port: MessagePort;
  private readonly answer = createAnswer(() => this.giveUp());
  private readonly looking: ReturnType<typeof setInterval>;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private accept: (isAccepted: boolean) => void = () => undefined;
  private readonly acceptance = new Promise<boolean>((resolve) => (this.accept = resolve));
  private readonly request: DividedRequest;
  private readonly tab: Tab;
  private readonly caller: Caller;

  constructor(request: DividedRequest, tab: Tab, caller: Caller) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.request = request;
    this.tab = tab;
    this.caller = caller;
    port1.onmessage = ({ data }: MessageEvent<FromTab>) => this.take(data);
    caller.signal.addEventListener('abort', this.onAbort);
    this.looking = setInterval(() => void this.look(), LOOK_MS);
    this.setDeadline(DEFAULT_TIMEOUT_MS);
    try {
      tab.post(request.frame, port2);
    } catch (error) {
      console.warn(`A tab cannot be asked: ${String(error)}`);
      this.finish(); // not accepted, so that the next one is asked
    }
  }

  /** Whether the tab accepts in time; when not, it is told to forget the request. */
  async isAccepted(withinMs: number): Promise<boolean> {
    const timer = setTimeout(() => this.giveUp(), withinMs);
    const isAccepted = await this.acceptance;
    clearTimeout(timer);
    return isAccepted;
  }

  /** Settled in any case once accepted: by the tab, its loss (503), its time-out (408), or the caller's abort. */
  get response(): Promise<Response> {
    return this.answer.response;
  }

  private take(frame: FromTab): void {
    if (frame.type === 'presence') this.setDeadline(frame.timeoutMs);
    else if (frame.type === 'accepted') {
      this.accept(true);
      for (const text of this.request.parts)
        this.port.postMessage({ type: 'part', id: frame.id, text } satisfies ToTab);
    } else if (this.answer.take(frame)) this.finish();
  }

  private setDeadline(timeoutMs: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => {
      this.answer.fail('TIMEOUT', `expected an answer within ${timeoutMs / 1000} s, got none`);
      this.giveUp();
    }, timeoutMs + MARGIN_MS);
  }

  private async look(): Promise<void> {
    if (!(await this.tab.isThere())) {
      this.answer.fail('NO_TAB', LOST);
      this.finish();
    } else if (!(await this.caller.isThere())) this.giveUp();
  }

  private readonly onAbort = () => {
    this.answer.abort(this.caller.signal.reason);
    this.giveUp();
  };

  private giveUp(): void {
    this.port.postMessage({ type: 'cancel', id: this.request.frame.id } satisfies ToTab);
    this.finish();
  }

  private finish(): void {
    clearInterval(this.looking);
    clearTimeout(this.deadline);
    this.caller.signal.removeEventListener('abort', this.onAbort);
    this.accept(false); // unless it was
    this.port.close();
  }
}
