import type { Client } from '../../src/client/client.ts';
import { rankCorrelation } from '../../src/client/faithfulness/measures.ts';
import { deleted, type PlacedSection, scoredSections } from '../../src/client/faithfulness/sections.ts';
import { codePointMap, replacedSpans } from '../../src/contract/code-points.ts';
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
/** Random sets of sections that are removed together, for the linear datamodelling score. */
const SETS = 32;
const TOP = 5;
const REPLACEMENT = '...';

type Granularity = 'sentence' | 'word';

/** The methods side by side; Shapley values of words would take 400 requests and more. */
const METHODS: Readonly<Record<Granularity, Readonly<Record<string, Partial<ExplainBody>>>>> = {
  sentence: {
    attention: {},
    deletion: { method: 'deletion' },
    replacement: { method: 'deletion', replacement: REPLACEMENT },
    'sparse linear, 64': { method: 'sparse_linear', max_requests: 64 },
    shapley: { method: 'shapley' },
  },
  word: {
    attention: {},
    deletion: { method: 'deletion' },
    replacement: { method: 'deletion', replacement: REPLACEMENT },
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
  /** As `datamodelling`, with a replacement for the sections of a set. */
  readonly replaced: number | null;
  /** 1 where the section with the greatest score holds a part of the answer, else 0. */
  readonly found: number;
  /** Prompts whose likelihood was computed; for attention, sections with a pass. */
  readonly requests: number;
}

async function measuredOf(
  client: Client,
  { passage, asked, target, answer }: PassageItem,
  type: Granularity,
  index: number,
): Promise<Measured> {
  const base: ExplainBody = {
    model: DECODER,
    prompt: textItems(passage, asked),
    target,
    explained_items: [0], // as in ContextCite: the question stays
    prompt_granularity: { type },
  };
  const explained = new Map<string, { scores: readonly number[]; requests: number }>();
  let sections: readonly PlacedSection[] = [];
  for (const [name, change] of Object.entries(METHODS[type])) {
    const { explanations, requests } = await valueOf(client.explain({ ...base, ...change }));
    const { scores, ...found } = scoredSections(base, explanations);
    sections = found.sections;
    explained.set(name, { scores, requests: requests ?? scores.length + 1 });
  }
  const likelihood = async (prompt: ExplainBody['prompt']) =>
    (await valueOf(client.evaluate({ model: DECODER, prompt, completion_expected: target }))).result.log_probability;
  const sets = setsOf(sections.length, index + 1);
  const whole = await likelihood(base.prompt);
  const lossesBy = async (promptWithout: (removed: readonly PlacedSection[]) => ExplainBody['prompt']) => {
    const losses: number[] = [];
    for (const set of sets) losses.push(whole - (await likelihood(promptWithout(sections.filter((_, at) => set[at])))));
    return losses;
  };
  const losses = await lossesBy((removed) => deleted(base, removed));
  const map = codePointMap(passage);
  const lossesReplaced = await lossesBy((removed) => {
    const spans = removed.flatMap(({ place }) => (place.type === 'text' ? [map.toUtf16(place)] : []));
    return textItems(replacedSpans(passage, spans, REPLACEMENT), asked);
  });
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
          replaced: defined(rankCorrelation(sums, lossesReplaced)),
          found: Number(holds(sections[scores.indexOf(Math.max(...scores))], answer)),
          requests,
        },
      ];
    }),
  );
}

function textItems(...texts: readonly string[]) {
  return texts.map((data) => ({ type: 'text' as const, data }));
}

function holds(section: PlacedSection | undefined, { start, length }: PassageItem['answer']): boolean {
  if (section?.place.type !== 'text') throw new RangeError('expected a section of text');
  return section.place.start < start + length && start < section.place.start + section.place.length;
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
  'linear datamodelling score by replacement': ({ replaced }) => replaced,
  'section with the greatest score holds the answer': ({ found }) => found,
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
