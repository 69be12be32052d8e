import type { z } from 'zod';
import type { Described } from '../contract/description/operations.ts';
import type { ModelUse } from '../models/default-model.ts';
import type { Model } from '../models/model.ts';
import { RAN_AT } from '../contract/wire/engine.ts';
import { isStream } from '../contract/wire/stream.ts';
import type { Device, PrepareJob } from '../protocol/model-job.ts';
import type { JobKind, Jobs } from '../protocol/jobs.ts';
import type { Progress } from '../contract/progress.ts';
import type { JobProgress } from '../protocol/progress.ts';
import { createPause, type Pause } from './pause.ts';
import { type EventForm, serverSentEvents } from './response/events.ts';
import { chosenModel, type WantedModel } from './request/model-choice.ts';
import { type Placement, placementOf } from './request/placement.ts';
import { filesReader, type BytesOf } from './request/files-reader.ts';
import { readBody } from './request/read-body.ts';
import type { RouterOptions } from './router-options.ts';
import { runTask, type RunJob, type Task } from './run-task.ts';

/** A job's input without its model, which every operation chooses alike. */
export type JobInput<K extends JobKind> = Omit<Jobs[K]['input'], keyof PrepareJob>;

/** What an operation may use while it makes a job's input. */
export interface InputTools {
  /** The model that will run. */
  readonly model: Model;
  readonly bytesOf: BytesOf;
  /** Of the request's address. */
  readonly query: URLSearchParams;
  /** Runs another job first, under the same time-out. */
  readonly run: RunJob;
}

/** An operation of the contract: its request, its job, its response. */
export interface OperationSpec<
  Request extends z.ZodType,
  K extends JobKind,
  Response extends z.ZodType,
> extends Described {
  readonly request: Request;
  readonly response: Response;
  readonly kind: K;
  /** What the model must be able to do. */
  readonly use: ModelUse;
  /** Which model the request asks for. Default: its fields `model` and `hosting`. */
  wanted?(body: z.output<Request>): WantedModel;
  /**
   * The job's input, checked as far as that needs no model.
   *
   * @throws {FailureError} naming the field, what was expected and what came
   */
  input(body: z.output<Request>, tools: InputTools): Promise<JobInput<K>>;
  /** The response; long work is done in pieces. */
  output(
    output: Jobs[K]['output'],
    answered: Answered<z.output<Request>>,
  ): Promise<z.input<Response>> | z.input<Response>;
  /** Progress as it is on the wire. Default: as the job sends it. */
  progress?(progress: JobProgress, body: z.output<Request>): Progress;
  /** The answer as server-sent events, where the body asks for that. Default: never. */
  events?(body: z.output<Request>, version: string): EventForm<z.input<Response>> | null;
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an answer is made for. */
export interface Answered<Body> {
  readonly body: Body;
  /** Name and version of the model that ran. */
  readonly version: string;
  readonly pause: Pause;
}

/** An operation that the router can answer. */
export interface Operation {
  readonly path: `/${string}`;
  answer(request: Request, options: RouterOptions): Promise<Response>;
}

/** Makes an operation from its description: read, choose a model, run, respond. */
export function operation<Request extends z.ZodType, K extends JobKind, Response extends z.ZodType>(
  spec: OperationSpec<Request, K, Response>,
): Operation {
  const { path, request: schema } = spec;
  return {
    path,
    async answer(request, options) {
      let place: Placement | undefined;
      const task: Task<z.input<Response>> = async (run, answerAs) => {
        const pause = createPause();
        const { body, files } = await readBody(request, schema, pause);
        await pause();
        const wanted = spec.wanted?.(body) ?? wantedIn(body);
        const model = chosenModel(wanted, spec.use, options);
        const events = spec.events?.(body, model.version);
        if (events) answerAs(serverSentEvents(events));
        const { searchParams: query } = new URL(request.url);
        const input = await spec.input(body, { model, bytesOf: filesReader(files, pause), query, run });
        await pause();
        const toWire = (progress: JobProgress) => spec.progress?.(progress, body) ?? plainProgress(progress);
        const placed = (place = placementOf(model, wanted.hosting, options));
        // The two parts of a job's input; TypeScript cannot see that for a generic K.
        const inputOn = (device: Device) => ({ model, ...device, ...input }) as Jobs[K]['input'];
        const output = await placed.run((device) => run(spec.kind, inputOn(device), toWire));
        return spec.output(output, { body, version: placed.version(), pause });
      };
      const answer = await runTask(request, task, options);
      for (const [name, value] of Object.entries(spec.headers ?? {})) answer.headers.set(name, value);
      if (place) answer.headers.set(RAN_AT, place.ran(isStream(answer)));
      return answer;
    },
  };
}

function plainProgress({ phase, done, total }: JobProgress): Progress {
  return { phase, done, total };
}

/** Most requests name their model; the schema, checked just before, says whether they must. */
function wantedIn(body: unknown): WantedModel {
  const { model, hosting } = body as WantedModel;
  return { model, hosting };
}
