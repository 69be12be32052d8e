import { inspect } from '../../operations/model/inspect.ts';
import type { HubAddress, HubFound } from '../../../src/protocol/keeping/keeping-tasks.ts';
import { ProblemError } from '../problem.ts';
import { readRepository } from './hub-files.ts';
import { authorisation } from './hub-request.ts';
import { folderAt, planModel } from './model-plan.ts';

/** Names of hubs and parts of paths: nothing that an address reads as something else. */
const ID = /^[\w.-]+\/[\w.-]+$/;

/**
 * Asks a hub for a model: what is to be fetched, and what its configuration and its graph, without weights, tell of it.
 *
 * @throws {ProblemError}
 */
export async function look(address: HubAddress, signal: AbortSignal): Promise<HubFound> {
  if (!ID.test(address.id) || /(^|\/)\.\.?(\/|$)/.test(`${address.id}/${address.subfolder}`))
    throw new ProblemError('address', `expected owner/name, got "${address.id}"`);
  const { token } = address;
  const repository = await readRepository(address, { token, signal });
  const found = planModel(address, repository);
  const { name, files } = found.plan;
  const inspection = await inspect({
    ...{ name, folder: folderAt(address, repository.commit), headers: authorisation(token) },
    files: Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])),
  });
  signal.throwIfAborted();
  return { ...found, inspection };
}
