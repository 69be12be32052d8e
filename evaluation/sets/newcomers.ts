import prompts from '../data/newcomer-prompts.json' with { type: 'json' };
import { rankedIn } from '../../src/explanations/influence.ts';
import type { Outcome } from '../../src/explanations/outcome.ts';
import { requestExplanation } from '../../src/explanations/request.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../src/explanations/question.ts';
import { captionOf } from '../../src/figures/caption.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { sampleOf } from '../measures/sample.ts';
import { DECODER } from '../models/embedded-model.ts';
import { valueOf } from '../value-of.ts';

/** A prompt as a newcomer types it, and the answer that they have in mind, without the space before it. */
export interface NewcomerPrompt {
  readonly kind: string;
  readonly prompt: string;
  readonly target?: string;
}

/** Prompts of newcomers: whether the page's headline contradicts itself, and whether deleting the word that it names agrees. */
export const newcomersEvaluation: Evaluation = {
  name: 'newcomers',
  title: 'Prompts as newcomers type them: headlines of the Explain page',
  model: DECODER,
  needs: [],
  run: measure,
};

/** What was found of an outcome. */
interface Headline {
  readonly isOwn: boolean;
  readonly isContradiction: boolean;
  /** Whether deleting the strongest section moves the target as the headline says; null without a section that counts. */
  readonly agrees: boolean | null;
}

async function measure(context: Context): Promise<Row[]> {
  const drawn: readonly NewcomerPrompt[] = sampleOf(prompts, context.sample);
  const found: Headline[] = [];
  for (const [done, { prompt, target }] of drawn.entries()) {
    for (const asked of target === undefined ? [''] : ['', target])
      found.push(await headlineOf(context, prompt, asked));
    context.progress('prompts', done + 1, drawn.length);
  }
  return [
    rowOf(
      'the model’s own answer',
      found.filter(({ isOwn }) => isOwn),
    ),
    rowOf(
      'another target',
      found.filter(({ isOwn }) => !isOwn),
    ),
  ].flat();
}

function rowOf(of: string, found: readonly Headline[]): Row[] {
  const judged = found.flatMap(({ agrees }) => agrees ?? []);
  return [
    {
      what: `${of}: headlines that contradict themselves`,
      model: found.filter(({ isContradiction }) => isContradiction).length,
      baselines: {},
      items: found.length,
    },
    {
      what: `${of}: deleting the strongest word has the sign of its score`,
      model: meanOf(judged.map(Number)),
      baselines: { 'a coin': 0.5 },
      items: judged.length,
    },
  ];
}

async function headlineOf({ client }: Context, prompt: string, target: string): Promise<Headline> {
  const question = { picture: null, prompt, target, settings: DEFAULT_QUESTION_SETTINGS };
  const outcome = await valueOf(requestExplanation(client, question, { model: DECODER, upstream: null }));
  return {
    isOwn: target === '',
    isContradiction: contradictsItself(outcome),
    agrees: await agreementOf(client, outcome),
  };
}

/** Whether the headline says that the model does not expect what it then says. */
export function contradictsItself(outcome: Outcome): boolean {
  const { lead, detail } = captionOf(outcome, 'whole');
  const unexpected = /does not expect ‘(.+)’\.$/.exec(lead)?.[1];
  const said = /It says ‘(.+?)’ instead/.exec(detail)?.[1];
  return (
    unexpected !== undefined && said !== undefined && said.replace('…', '').startsWith(unexpected.replace('…', ''))
  );
}

/** Scores below this have no colour on the page, nats. */
const NEUTRAL = 0.1;

async function agreementOf(client: Context['client'], { influence, question }: Outcome): Promise<boolean | null> {
  const [top] = rankedIn(influence.prompt, 'whole');
  if (!top || Math.abs(top.total) < NEUTRAL) return null;
  const { prompt, target } = question;
  const characters = [...prompt];
  characters.splice(top.start, top.length);
  const likelihood = async (text: string) => {
    const body = { model: DECODER, prompt: text, completion_expected: target };
    return (await valueOf(client.evaluate(body))).result.log_probability;
  };
  const without = characters.join('');
  if (without.trim() === '') return null;
  return (await likelihood(prompt)) - (await likelihood(without)) > 0 === top.total > 0;
}
