import { Environment, Interpreter, parse, Template, tokenize } from '@huggingface/jinja';
import type { StepLimit } from '../../../src/protocol/messages.ts';
import { threadHeartbeats } from '../../engine/device/guard.ts';

type Evaluate = Interpreter['evaluate'];
type Statement = NonNullable<Parameters<Evaluate>[0]>;
type Value = ReturnType<Evaluate>;

/** UTF-16 units of a template; those of published models have at most some 30,000. */
const MAX_TEMPLATE = 200_000;

/** Steps of a rendering: below a second. A dialogue of a thousand messages takes some 100,000. */
const MAX_STEPS = 400_000;

/** A turn of a loop makes a scope and nine values, which takes as long as this many steps. */
const STEPS_PER_TURN = 10;

/** Entries of a list that a template makes by `range`. */
const MAX_RANGE = 100_000;

/** Of a text, or of a list that is only named, this many units count as one step. */
const UNITS_PER_STEP = { text: 256, list: 64 } as const;

/** One call cannot be counted while it runs: splitting a text makes as many values as it has characters. */
const LIMIT: StepLimit = {
  ms: 10_000,
  failure: {
    code: 'INVALID_REQUEST',
    message: 'expected a chat template that is rendered within 10 s, got one that takes longer',
  },
};

/**
 * Renders a chat template, which may be of anybody, within bounds of length and steps.
 *
 * @param variables  `messages` and others
 * @throws {Error} with the template's own message, such as "roles must alternate", or with the bound that it breaks
 */
export function renderChatTemplate(template: string, variables: Readonly<Record<string, unknown>>): string {
  if (template.length > MAX_TEMPLATE)
    throw new RangeError(`expected a template of at most ${MAX_TEMPLATE} characters, got ${template.length}`);
  const lift = threadHeartbeats.limit(LIMIT);
  try {
    const program = parse(tokenize(template, { lstrip_blocks: true, trim_blocks: true })); // as `Template` does
    const environment = new Environment();
    for (const [name, value] of Object.entries({ ...GLOBALS, ...variables })) environment.set(name, value);
    return String(new BoundedInterpreter(environment).run(program).value);
  } finally {
    lift();
  }
}

/** As `Template` sets them, but with a bounded `range`. */
const GLOBALS = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  range: boundedRange,
  raise_exception(message: string) {
    throw new Error(message);
  },
  strftime_now: (format: string) => new Template('{{ strftime_now(format) }}').render({ format }),
};

function boundedRange(...bounds: readonly number[]): number[] {
  const [start = 0, stop = 0, step = 1] = bounds.length === 1 ? [0, ...bounds] : bounds;
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (!(length <= MAX_RANGE)) throw new RangeError(`range: expected at most ${MAX_RANGE} entries, got ${length}`);
  return Array.from({ length }, (_, at) => start + at * step);
}

/** Counts what each expression and statement costs. */
class BoundedInterpreter extends Interpreter {
  private left = MAX_STEPS;
  private readonly iterated = new WeakSet<object>();

  override evaluate(statement: Parameters<Evaluate>[0], environment: Parameters<Evaluate>[1]): Value {
    this.spend(1);
    if (statement?.type === 'For') this.iterated.add(iterableOf(statement));
    const value = super.evaluate(statement, environment);
    const isIterated = statement !== undefined && this.iterated.has(statement);
    const steps = stepsOf(value.value, statement?.type === 'Identifier');
    this.spend(isIterated ? STEPS_PER_TURN * sizeOf(value.value) : steps);
    return value;
  }

  private spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new RangeError(`expected a template of at most ${MAX_STEPS} steps, got more`);
  }
}

/** What a `for` goes through: `list` in `for a in list` and `for a in list if …`. */
function iterableOf(statement: Statement): object {
  const { iterable } = statement as Statement & { readonly iterable: Statement & { readonly lhs?: Statement } };
  return iterable.type === 'SelectExpression' ? (iterable.lhs ?? iterable) : iterable;
}

/** @param isNamed  whether the value was there before and is not made */
function stepsOf(value: unknown, isNamed: boolean): number {
  if (typeof value === 'string') return value.length / UNITS_PER_STEP.text;
  return isNamed ? sizeOf(value) / UNITS_PER_STEP.list : sizeOf(value);
}

/** The number of entries of a list or an object. */
function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : 0;
}
