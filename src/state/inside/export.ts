import type { Pooling } from '../../contract/embed.ts';
import { type Cell, csvText } from '../explain/export.ts';
import type { LensResponse } from '../../contract/likelihood/lens.ts';
import type { SimilarityFound } from './similarity.ts';
import type { TokenGrid } from './token-grid.ts';

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

/** A row for each pair of tokens, one of each text. */
export function tokensCsv({ a, b, cosines }: TokenGrid, layer: number): string {
  const head = ['token_a', 'place_a', 'token_b', 'place_b', 'layer', 'cosine'];
  const rows = a.texts.flatMap((first, row) =>
    b.texts.map((second, column): Cell[] => [
      ...[first, row + 1, second, column + 1],
      ...[layer, cosines[row]?.[column] ?? 0],
    ]),
  );
  return csvText([head, ...rows]);
}

/** A row for each of the likeliest tokens at each layer, behind each of the last tokens; the target has its rank beside them. */
export function lensCsv({ positions, model_version: modelVersion }: LensResponse): string {
  const head = ['behind', 'layer', 'rank', 'token', 'log_probability', 'target', 'target_rank', 'model_version'];
  const rows = positions.flatMap(({ token: behind, layers }) =>
    layers.flatMap(({ layer, tokens, target }) =>
      tokens.map(({ token, log_probability }, place): Cell[] => [
        ...[behind, layer, place + 1, token, log_probability],
        ...[target?.token ?? '', target?.rank ?? '', modelVersion],
      ]),
    ),
  );
  return csvText([head, ...rows]);
}
