/** Ends a script that hangs; on a busy machine nothing else may meet it. */
const HANGS_MS = 300_000;

/** A session of classic WebDriver. */
export interface Session {
  readonly browserVersion: string;
  /** Goes to an address and waits until its page has loaded. */
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page; its value is a promise of a string. */
  evaluate(expression: string): Promise<string>;
  /** Ends the session, and with it the browser. */
  close(): Promise<void>;
}

/** What a driver says of a session that it has made. */
interface NewSession {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
}

/**
 * Starts a session at a driver.
 *
 * @param address  where the driver listens, without a slash at the end
 * @throws         {Error} with the driver's own words when a command fails
 * @source         W3C WebDriver 2: "New Session", "Navigate To", "Execute Async Script", "Delete Session"
 */
export async function connectWebDriver(address: string): Promise<Session> {
  const capabilities = { alwaysMatch: { timeouts: { script: HANGS_MS, pageLoad: HANGS_MS } } };
  const session = await ask<NewSession>('POST', `${address}/session`, { capabilities });
  const path = `${address}/session/${session.sessionId}`;
  return {
    browserVersion: session.capabilities.browserVersion,
    open: (url) => ask('POST', `${path}/url`, { url }),
    evaluate: (expression) => {
      const script = `${expression}.then(arguments[0])`; // the driver's own argument takes the result
      return ask('POST', `${path}/execute/async`, { script, args: [] });
    },
    close: () => ask('DELETE', path),
  };
}

/** Sends a command. The result is what the specification says of that command. */
async function ask<Result>(method: string, url: string, params?: object): Promise<Result> {
  const response = await fetch(url, { method, ...(params && { body: JSON.stringify(params) }) });
  const { value } = (await response.json()) as { value: Result };
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${JSON.stringify(value)}`);
  return value;
}
