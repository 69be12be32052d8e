import type { Client } from '../../src/client/client.ts';
import { rankCorrelation } from '../../src/client/faithfulness/measures.ts';
import { deleted, scoredSections } from '../../src/client/faithfulness/sections.ts';
import type { ExplainBody } from '../../src/contract/explain.ts';
import { seededRandom } from '../../workers/kernels/seeded-random.ts';
import { furtherPassages, type PassageItem, SQUAD_1, type SquadRow } from '../data/squad.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { greatestOf, shareKnown } from '../measures/ranking/confirmed.ts';
import { DECODER, loadTokenizer } from '../models/embedded-model.ts';
import { valueOf } from '../value-of.ts';

const PASSAGES = 100;
/** Longer ones cost more than they tell: a word takes several passes. */
const MAX_TOKENS = 200;
/** Random sets of sections that are deleted together, for the linear datamodelling score. */
const SETS = 32;
const TOP = 5;

type Granularity = 'sentence' | 'word';

/** The methods side by side; Shapley values of words would take 400 requests and more. */
const METHODS: Readonly<Record<Granularity, Readonly<Record<string, Partial<ExplainBody>>>>> = {
  sentence: {
    attention: {},
    deletion: { method: 'deletion' },
    'sparse linear, 64': { method: 'sparse_linear', max_requests: 64 },
    shapley: { method: 'shapley' },
  },
  word: {
    attention: {},
    deletion: { method: 'deletion' },
    'deletion of groups, 64': { method: 'deletion', max_requests: 64 },
    'sparse linear, 64': { method: 'sparse_linear', max_requests: 64 },
  },
};

/** How do methods by deletion compare with attention, on a model where the exact answer is known? */
export const methodsEvaluation: Evaluation = {
  name: 'methods',
  title: `Methods of explanation beside one another, ${PASSAGES} SQuAD passages with their questions`,
  model: DECODER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const rows = await context.lines<SquadRow>(SQUAD_1);
  const count = Math.min(PASSAGES, context.sample ?? PASSAGES);
  const passages = furtherPassages(rows, await loadTokenizer(DECODER), count, MAX_TOKENS);
  const found: Row[] = [];
  for (const granularity of ['sentence', 'word'] as const) {
    const measured: Measured[] = [];
    for (const [index, item] of passages.entries()) {
      const key = `${granularity} ${index} ${item.question}`;
      measured.push(await context.remembered(key, () => measuredOf(context.client, item, granularity, index)));
      context.progress(granularity, index + 1, passages.length);
    }
    found.push(...rowsOf(granularity, measured));
  }
  return found;
}

/** Figures of each method on one prompt. */
type Measured = Readonly<Record<string, Figures>>;

interface Figures {
  /** Spearman's ρ with exact deletion; null where it is not defined. */
  readonly rank: number | null;
  /** Share of the five sections with the greatest effect by exact deletion that are among the method's own five. */
  readonly top: number;
  /** Linear datamodelling score: Spearman's ρ of summed scores with the losses when random sets are deleted together. */
  readonly datamodelling: number | null;
  /** Prompts whose likelihood was computed; for attention, sections with a pass. */
  readonly requests: number;
}

async function measuredOf(
  client: Client,
  { passage, asked, target }: PassageItem,
  type: Granularity,
  index: number,
): Promise<Measured> {
  const base: ExplainBody = {
    model: DECODER,
    prompt: [passage, asked].map((data) => ({ type: 'text', data })),
    target,
    explained_items: [0], // as in ContextCite: the question stays
    prompt_granularity: { type },
  };
  const explained = new Map<string, { scores: readonly number[]; requests: number }>();
  let sections: ReturnType<typeof scoredSections>['sections'] = [];
  for (const [name, change] of Object.entries(METHODS[type])) {
    const { explanations, requests } = await valueOf(client.explain({ ...base, ...change }));
    const { scores, ...found } = scoredSections(base, explanations);
    sections = found.sections;
    explained.set(name, { scores, requests: requests ?? scores.length + 1 });
  }
  const likelihood = async (removed: typeof sections) => {
    const body = { model: DECODER, prompt: deleted(base, removed), completion_expected: target };
    return (await valueOf(client.evaluate(body))).result.log_probability;
  };
  const sets = setsOf(sections.length, index + 1);
  const whole = await likelihood([]);
  const losses: number[] = [];
  for (const set of sets) losses.push(whole - (await likelihood(sections.filter((_, at) => set[at]))));
  const exact = explained.get('deletion')?.scores ?? [];
  return Object.fromEntries(
    [...explained].map(([name, { scores, requests }]) => {
      const own = new Set(greatestOf(scores, TOP));
      const sums = sets.map((set) => scores.reduce((sum, score, at) => sum + (set[at] ? score : 0), 0));
      return [
        name,
        {
          rank: defined(rankCorrelation(scores, exact)),
          top: shareKnown(greatestOf(exact, TOP), (section) => own.has(section)),
          datamodelling: defined(rankCorrelation(sums, losses)),
          requests,
        },
      ];
    }),
  );
}

/** Random sets that contain each section with a probability of one half. */
function setsOf(sections: number, seed: number): boolean[][] {
  const random = seededRandom(1000 * seed);
  return Array.from({ length: SETS }, () => Array.from({ length: sections }, () => random() < 0.5));
}

function defined(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

const FIGURES: Readonly<Record<string, (figures: Figures) => number | null>> = {
  'Spearman ρ with deletion': ({ rank }) => rank,
  'share of the five greatest by deletion': ({ top }) => top,
  'linear datamodelling score by deletion': ({ datamodelling }) => datamodelling,
  requests: ({ requests }) => requests,
};

/** Means over prompts; a prompt where a figure is not defined is not part of that figure. */
function rowsOf(granularity: Granularity, measured: readonly Measured[]): Row[] {
  return Object.entries(FIGURES).map(([what, figure]): Row => {
    const means = Object.keys(METHODS[granularity]).map((name) => {
      const values = measured.flatMap((each) => {
        const figures = each[name];
        return figures ? (figure(figures) ?? []) : [];
      });
      return [name, meanOf(values)] as const;
    });
    const [, model] = means[0] ?? [];
    if (!model) throw new RangeError('expected at least one method');
    return {
      what: `${granularity}s: ${what}`,
      model,
      baselines: Object.fromEntries(means.slice(1)),
      items: measured.length,
    };
  });
}
