import type { Pooling } from '../../contract/embed.ts';
import { type Cell, csvText } from '../explain/export.ts';
import type { SimilarityFound } from './similarity.ts';

/** A row for each pair, pooling and layer; RFC 4180. Names are those of the contract. */
export function similarityCsv({ cosines, modelVersion, pairs, texts }: SimilarityFound): string {
  const head = ['text_a', 'text_b', 'pooling', 'layer', 'cosine', 'model_version'];
  const poolings = Object.keys(cosines) as Pooling[]; // `Object.keys` forgets the names
  const rows = pairs.flatMap(([a, b], pair) =>
    poolings.flatMap((pooling) =>
      cosines[pooling].map((values, layer): Cell[] => [
        ...[texts[a] ?? '', texts[b] ?? '', pooling],
        ...[layer, values[pair] ?? 0, modelVersion],
      ]),
    ),
  );
  return csvText([head, ...rows]);
}
