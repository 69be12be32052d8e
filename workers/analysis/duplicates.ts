import type { DuplicateGroup } from '../../src/protocol/analysis-tasks.ts';
import type { Neighbours } from './neighbours.ts';

/**
 * Groups of rows of which each has a neighbour in the group that is at least that near. Rows that are the same are found however
 * many there are: each is among the neighbours of another.
 *
 * @param least  cosine, −1 to 1
 * @returns      groups of two or more, the most alike first
 */
export function duplicateGroups({ each, indices, cosines }: Neighbours, least: number): DuplicateGroup[] {
  const parents = new Map<number, number>();
  const weakest = new Map<number, number>();
  const rootOf = (row: number): number => {
    let root = row;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  const pairs = [...cosines.keys()].filter((at) => (cosines[at] ?? -Infinity) >= least);
  pairs.sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)); // a group is as alike as the last pair that joined it
  const rows = new Set<number>();
  for (const at of pairs) {
    const [a, b] = [Math.floor(at / each), indices[at] ?? -1];
    rows.add(a).add(b);
    const [one, two] = [rootOf(a), rootOf(b)];
    if (one === two) continue;
    parents.set(Math.max(one, two), Math.min(one, two));
    weakest.set(Math.min(one, two), cosines[at] ?? 0);
  }
  const groups = new Map<number, number[]>();
  for (const row of [...rows].sort((a, b) => a - b)) groups.set(rootOf(row), [...(groups.get(rootOf(row)) ?? []), row]);
  return [...groups]
    .map(([root, members]) => ({ members, cosine: weakest.get(root) ?? 1 }))
    .sort((a, b) => b.cosine - a.cosine || (a.members[0] ?? 0) - (b.members[0] ?? 0));
}
