/** A request as it leaves a client. */
export interface Sent {
  readonly method: string;
  /** Operation with its query, such as `/embed?nice=true`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as it reaches a client. */
export interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How requests reach the service: a function in the page, a service worker, a local server. */
export interface Transport {
  /** The token that opens it. */
  readonly token: string;
  send(request: Sent): Promise<Received>;
}

/** What `fetch` answered, as plain data. */
export async function receivedFrom(response: Response): Promise<Received> {
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}
