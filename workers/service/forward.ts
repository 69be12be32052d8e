import { type Failure, type FailureCode, STATUS } from '../../src/contract/failure.ts';
import { failureBody } from '../../src/contract/failure-body.ts';
import { type BodyPieces, splitLongBody } from '../../src/contract/wire/long-body.ts';
import { type FromTab, PASSED_HEADERS, type ToTab } from '../../src/protocol/frames/frames.ts';

/** Time for a tab to accept: an open app does so between two tasks of its main thread. */
const ACCEPT_MS = 2_000;

interface ForwardOptions {
  /** Path of the site's folder, ending in a slash; default: the root. */
  readonly home?: string;
  /** false when the calling page was closed: some browsers do not abort its requests then. */
  readonly isCallerOpen?: () => Promise<boolean>;
  readonly acceptMs?: number;
}

/**
 * The answer of the first tab that accepts the request.
 *
 * @returns null when none does; the request was not processed then
 * @throws  `AbortError` when the request is aborted
 */
export async function forwardToTabs(
  request: Request,
  tabs: readonly ClientTab[],
  { home = '/', isCallerOpen = async () => true, acceptMs = ACCEPT_MS }: ForwardOptions = {},
): Promise<Response | null> {
  const divided = await dividedRequest(request, home);
  for (const tab of tabs) {
    request.signal.throwIfAborted();
    const exchange = new Exchange(divided, tab, { signal: request.signal, isOpen: isCallerOpen });
    if (await exchange.isAccepted(acceptMs)) return exchange.response;
  }
  request.signal.throwIfAborted();
  return null;
}

async function dividedRequest(request: Request, home: string): Promise<DividedRequest> {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const { inRequest, parts } = splitLongBody(hasBody ? await request.text() : null);
  const frame = {
    type: 'request' as const,
    id: 1, // each request has its own port
    method,
    path: `${pathname.slice(home.length - 1)}${search}`,
    headers: Object.fromEntries(
      PASSED_HEADERS.filter((name) => headers.has(name)).map((name) => [name, headers.get(name) ?? '']),
    ),
    ...inRequest,
  };
  return { frame, parts };
}

type TransportFailure = Extract<FailureCode, 'NO_TAB' | 'TIMEOUT' | 'INTERNAL'>;

/** Frames that make up an answer. */
type AnswerFrame = Extract<FromTab, { type: 'answer' | 'begin' | 'chunk' | 'end' | 'broken' }>;

/** Builds the response from the tab's frames. @param path  of the request. @param onCancel  called when the reader cancels a streamed body */
function createTabResponse(path: string, onCancel: () => void) {
  let resolve: (response: Response) => void;
  let reject: (reason: unknown) => void;
  let body: ReadableStreamDefaultController<Uint8Array> | null = null;
  const response = new Promise<Response>((onResponse, onReason) => ([resolve, reject] = [onResponse, onReason]));
  response.catch(() => undefined); // unused where the tab did not accept
  const encoder = new TextEncoder();
  const fail = (code: TransportFailure, message: string) => {
    if (body) body.error(new Error(message));
    else resolve(failed({ code, message }, path));
  };
  return {
    response,
    /** Fails the response, or the rest of its body. */
    fail,
    abort(reason: unknown): void {
      body?.error(reason);
      reject(reason);
    },
    /** @returns true after the last frame */
    take(frame: AnswerFrame): boolean {
      switch (frame.type) {
        case 'answer':
          resolve(new Response(frame.body === '' ? null : frame.body, frame));
          return true;
        case 'begin': {
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => void (body = controller),
            cancel: onCancel,
          });
          resolve(new Response(stream, frame));
          return false;
        }
        case 'chunk':
          body?.enqueue(encoder.encode(frame.text));
          return false;
        case 'end':
          body?.close();
          return true;
        case 'broken':
          fail('INTERNAL', frame.reason);
          return true;
      }
    },
  };
}

function failed(failure: Failure, path: string): Response {
  const { code } = failure;
  const headers = code === 'NO_TAB' ? { 'Retry-After': '1' } : undefined;
  return Response.json(failureBody(failure, path), { status: STATUS[code], ...(headers && { headers }) });
}

/** A tab of this site; one with an open app accepts requests. */
export interface ClientTab {
  /** Sends a request and the port for its response. */
  post(frame: ToTab, port: MessagePort): void;
  /** false when it was closed or reloaded. */
  isOpen(): Promise<boolean>;
}

/** The page that waits for the answer. */
interface Caller {
  readonly signal: AbortSignal;
  isOpen(): Promise<boolean>;
}

/** A request, and the parts of a long body, which are sent to a tab that has accepted the request. */
interface DividedRequest {
  readonly frame: Extract<ToTab, { type: 'request' }>;
  readonly parts: BodyPieces;
}

const LOST = 'The tab that was answering went away. Send the request again.';

/** Interval at which tab and caller are checked. */
const POLL_MS = 1_000;

/** Time of the transport, added to the tab's own time-out. */
const MARGIN_MS = 3_000;

/** Until the tab sends its own time-out. @source contract facts §1.1 */
const DEFAULT_TIMEOUT_MS = 300_000;

/** One request at one tab, until its last frame. */
class Exchange {
  private readonly port: MessagePort;
  private readonly answer: ReturnType<typeof createTabResponse>;
  private readonly polling: ReturnType<typeof setInterval>;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private accept: (isAccepted: boolean) => void = () => undefined;
  private readonly acceptance = new Promise<boolean>((resolve) => (this.accept = resolve));
  private readonly request: DividedRequest;
  private readonly tab: ClientTab;
  private readonly caller: Caller;

  constructor(request: DividedRequest, tab: ClientTab, caller: Caller) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.request = request;
    this.tab = tab;
    this.caller = caller;
    this.answer = createTabResponse(request.frame.path, () => this.giveUp());
    port1.onmessage = ({ data }: MessageEvent<FromTab>) => this.take(data);
    caller.signal.addEventListener('abort', this.onAbort);
    this.polling = setInterval(() => void this.poll(), POLL_MS);
    this.setDeadline(DEFAULT_TIMEOUT_MS);
    try {
      tab.post(request.frame, port2);
    } catch (error) {
      console.warn(`A tab cannot be asked: ${String(error)}`);
      this.finish(); // not accepted, so the next tab is tried
    }
  }

  /** Whether the tab accepts in time; else the request is cancelled. */
  async isAccepted(withinMs: number): Promise<boolean> {
    const timer = setTimeout(() => this.giveUp(), withinMs);
    const isAccepted = await this.acceptance;
    clearTimeout(timer);
    return isAccepted;
  }

  /** Settles once accepted: by the tab, its loss (503), its time-out (408), or the caller's abort. */
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

  private async poll(): Promise<void> {
    if (!(await this.tab.isOpen())) {
      this.answer.fail('NO_TAB', LOST);
      this.finish();
    } else if (!(await this.caller.isOpen())) this.giveUp();
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
    clearInterval(this.polling);
    clearTimeout(this.deadline);
    this.caller.signal.removeEventListener('abort', this.onAbort);
    this.accept(false); // without effect after an acceptance
    this.port.close();
  }
}
