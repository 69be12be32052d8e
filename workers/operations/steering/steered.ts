import { FailureError } from '../../../src/contract/failure.ts';
import type { PrepareJob, SteeringVector } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import type { Network, NetworkShape } from '../../engine/network.ts';

/**
 * The model with a job's vectors added in every pass, at every position of every sequence, the prompt's too. Keys and values are
 * then those of the steered network, and live no longer than the job.
 *
 * @throws {FailureError} MISSING_CAPABILITY for a network that cannot be steered; INVALID_REQUEST for vectors of another one
 */
export function steeredBy({ steering }: Pick<PrepareJob, 'steering'>, model: LoadedModel): LoadedModel {
  if (!steering) return model;
  const rows = rowsOf(steering, model.network.shape);
  return { ...model, network: steeredNetwork(model.network, rows) };
}

function steeredNetwork({ writer, ...network }: Network, steering: Float32Array): Network {
  return {
    ...network,
    ...(writer && { writer: steeredNetwork(writer, steering) }),
    run: (run) => network.run({ ...run, steering }),
  };
}

/** One row for each layer, `[layers, width]`; vectors of one layer are added up. */
function rowsOf(steering: readonly SteeringVector[], shape: NetworkShape): Float32Array {
  if (!shape.takesSteering) refuseSteering(shape.keptBecause ?? 'its layers do not end in a residual sum');
  const { layers, width } = shape;
  const rows = new Float32Array(layers * width);
  steering.forEach(({ layer, vector }, index) => {
    if (layer > layers || vector.length !== width)
      throw new FailureError(
        'INVALID_REQUEST',
        `steering_concepts[${index}]: expected a concept of a model with ${layers} layers and the width ${width}, ` +
          `got one for layer ${layer} and the width ${vector.length}`,
      );
    const start = (layer - 1) * width;
    vector.forEach((value, at) => (rows[start + at] = (rows[start + at] ?? 0) + value));
  });
  return rows;
}

/** @throws {FailureError} MISSING_CAPABILITY for a job that is to be steered where no graph is rewritten for it */
export function checkSteering({ steering, remote, model: { tier, reason } }: PrepareJob): void {
  if (steering && remote) refuseSteering(`its passes run at ${remote.address}`);
  if (steering && tier === 'as_exported') refuseSteering(reason ?? 'it runs as it was exported');
}

/** @throws {FailureError} MISSING_CAPABILITY */
export function refuseSteering(reason: string): never {
  throw new FailureError(
    'MISSING_CAPABILITY',
    `model: expected one that can be steered, got one that cannot: ${reason}`,
  );
}

/** The job without constants that were measured for the model as it is: a steered one may differ from them. */
export function withoutMargins<Job extends PrepareJob>(job: Job): Job {
  if (!job.steering) return job;
  const { margins: _, ...model } = job.model;
  return { ...job, model };
}
