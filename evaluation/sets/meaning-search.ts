import type { Context, Evaluation, Row } from '../evaluation.ts';
import { SQUAD_1, type SquadRow } from '../data/squad.ts';
import { recallAt } from '../measures/ranking/nearness.ts';
import { sampleOf } from '../measures/sample.ts';
import { EMBEDDER } from '../models/embeddings.ts';
import { createMeaningStores, DEFAULT_SHARE } from '../../src/pages/meaning/meaning-stores.ts';
import { textTableOf } from '../../src/pages/meaning/input-store.ts';

/** The search of the page Meaning, by its own code: is the paragraph that answers a question among the first? */
export const meaningSearchEvaluation: Evaluation = {
  name: 'meaning-search',
  title: 'SQuAD v1.1 dev (part a): the paragraph of a question among 1,000, on the page Meaning',
  model: EMBEDDER,
  needs: [SQUAD_1],
  onlyWhenNamed: true,
  run: measure,
};

const PARAGRAPHS = 1000;

async function measure({ client, lines, sample, progress }: Context): Promise<Row[]> {
  const all = await lines<SquadRow>(SQUAD_1);
  const paragraphs = [...new Set(all.map((row) => row.context))].slice(0, PARAGRAPHS);
  const placeOf = new Map(paragraphs.map((paragraph, place) => [paragraph, place]));
  const asked = sampleOf(
    all.filter((row) => placeOf.has(row.context)),
    sample,
  );
  const stores = createMeaningStores({
    client,
    memory: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
  });
  stores.collection.subscribe(({ collected }) => progress('paragraphs', collected?.count ?? 0, paragraphs.length));
  await stores.collection.getState().collect(textTableOf(paragraphs));
  const ranks = { words: [] as number[], meaning: [] as number[], both: [] as number[] };
  for (const [index, { question, context }] of asked.entries()) {
    const right = placeOf.get(context) ?? -1;
    for (const [way, share] of [
      ['words', 0],
      ['meaning', 1],
      ['both', DEFAULT_SHARE],
    ] as const) {
      stores.search.setState({ share });
      await stores.search.getState().search(question);
      const place = stores.search.getState().found?.hits.findIndex((hit) => hit.index === right) ?? -1;
      ranks[way].push(place < 0 ? Infinity : place + 1);
    }
    progress('questions', index + 1, asked.length);
  }
  stores.analysis.end();
  return [10, 1].map((among) => ({
    what: `recall@${among} of ${paragraphs.length}, words and meaning`,
    model: recallAt(among, ranks.both),
    baselines: { 'words alone': recallAt(among, ranks.words), 'meaning alone': recallAt(among, ranks.meaning) },
    items: asked.length,
  }));
}
