import { createMeaningStores } from '../../src/pages/meaning/meaning-stores.ts';
import { textTableOf } from '../../src/pages/meaning/input-store.ts';
import type { Context, DataFile, Evaluation, Row } from '../evaluation.ts';
import { sampleOf } from '../measures/sample.ts';
import { EMBEDDER } from '../models/embeddings.ts';

const SENTENCES: DataFile = { from: 'data', path: 'eval/clinc150-test.jsonl.xz' };
const [INTENTS, TEXTS, QUERIES] = [25, 3, 10];

/** The search of the page Meaning, by its own code: are texts with the intent of a query called weak matches, and others not? */
export const weakMatchesEvaluation: Evaluation = {
  name: 'weak-matches',
  title: `CLINC150 (Larson et al. 2019), ${INTENTS} intents: queries with a match that is not weak, in percent`,
  model: EMBEDDER,
  needs: [SENTENCES],
  onlyWhenNamed: true,
  run: measure,
};

async function measure({ client, lines, sample, progress }: Context): Promise<Row[]> {
  const sentences = await lines<{ readonly text: string; readonly label: string }>(SENTENCES);
  const intents = sampleOf([...new Set(sentences.map(({ label }) => label))], INTENTS).map((label) =>
    sentences.filter((sentence) => sentence.label === label),
  );
  const texts = intents.flatMap((group) => group.slice(0, TEXTS));
  const queries = sampleOf(
    intents.flatMap((group) => group.slice(TEXTS, TEXTS + QUERIES)),
    sample,
  );
  const memory = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const stores = createMeaningStores({ client, memory });
  await stores.collection.getState().collect(textTableOf(texts.map(({ text }) => text)));
  const count = { same: 0, other: 0 };
  for (const [nth, { text, label }] of queries.entries()) {
    await stores.search.getState().search(text);
    const { found, problem } = stores.search.getState();
    if (!found || problem) throw new Error(`“${text}” was not searched: ${problem?.message ?? 'no answer'}`);
    const matches = found.hits.filter(({ isWeak }) => !isWeak).map(({ index }) => texts[index]?.label);
    if (matches.includes(label)) count.same++;
    if (matches.some((other) => other !== label)) count.other++;
    progress('queries', nth + 1, queries.length);
  }
  stores.analysis.end();
  const others = texts.length - TEXTS;
  return [
    {
      what: `among ${TEXTS} texts of the query's intent`,
      model: (100 * count.same) / queries.length,
      baselines: { [`among ${others} of other intents`]: (100 * count.other) / queries.length },
      items: queries.length,
    },
  ];
}
