import { ENGINE_MODEL } from '../../src/contract/wire/engine.ts';
import { isLoopback } from '../loopback.ts';

/** Where the engine is, which of its models may be asked for, and what opens it. */
export interface EngineOptions {
  /** Without a slash at the end. */
  readonly address: string;
  readonly models: readonly string[];
  /** Sent as a bearer token. Never logged, never sent to a page. */
  readonly token: string | undefined;
}

/** Environment variable that holds the engine's token: a command line can be read by every user of a machine. */
export const TOKEN_VARIABLE = 'LIGHTWELL_ENGINE_TOKEN';

/**
 * Reads what the command line and the environment say of an engine.
 *
 * @returns a sentence about what is wrong, or the options
 */
export function readEngine(
  address: string,
  models: string | undefined,
  environment: NodeJS.ProcessEnv,
): EngineOptions | string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return `--engine: expected an address such as https://engine.example, without a password, got "${address}"`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return `--engine: expected https, since prompts and the token cross a network, got "${address}"`;
  if (url.protocol === 'https:' && environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return 'NODE_TLS_REJECT_UNAUTHORIZED: expected it not to be 0, since certificates are checked; name yours in NODE_EXTRA_CA_CERTS';
  const names = (models ?? '').split(',').filter((name) => name !== '');
  const wrong = names.find((name) => !ENGINE_MODEL.test(name));
  if (wrong !== undefined || names.length === 0)
    return `--engine-models: expected names of the engine's models, such as base,embed, got "${wrong ?? ''}"`;
  const token = environment[TOKEN_VARIABLE] || undefined;
  // A header with other characters would be refused by Node, with the token in the message.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    return `${TOKEN_VARIABLE}: expected visible ASCII characters without spaces, got others`;
  return { address: url.href.replace(/\/+$/, ''), models: names, token };
}
