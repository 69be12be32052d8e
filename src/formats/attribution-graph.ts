import { type Fields, fieldsAt, listAt, numberAt, textAt, unexpected } from './fields.ts';
import type { Reader } from './readers.ts';
import { joined, sectionScores } from './tokens.ts';

interface Effect {
  readonly source: string;
  readonly weight: number;
}

/** Longest way from a token to a logit, in links: a graph has at most one node on it for each layer of the model. */
const MAX_STEPS = 1_000;

/**
 * An attribution graph of Neuronpedia: for each logit the share of its influence that comes from each token, on all ways through
 * the graph. Shares of what was pruned are missing.
 *
 * @source circuit-tracer 0.5, `graph.py`, `compute_node_influence`, and `frontend/graph_models.py`
 */
export const ofAttributionGraph: Reader = ({ metadata, nodes: given, links }) => {
  const tokens = joined(listAt(fieldsAt(metadata, 'metadata')['prompt_tokens'], 'metadata.prompt_tokens', textAt));
  const nodes = new Map(listAt(given, 'nodes', nodeAt).map((node) => [node.id, node]));
  const effects = new Map<string, Effect[]>();
  for (const [at, link] of listAt(links, 'links', fieldsAt).entries()) {
    const [source, target] = [
      textAt(link['source'], `links[${at}].source`),
      textAt(link['target'], `links[${at}].target`),
    ];
    const weight = Math.abs(numberAt(link['weight'], `links[${at}].weight`));
    const own = effects.get(target) ?? [];
    effects.set(target, own);
    own.push({ source, weight });
  }
  const logits = [...nodes.values()].filter(({ type }) => type === 'logit');
  if (logits.length === 0) throw unexpected('nodes', 'a node with the feature_type logit', given);
  const scores = logits.map(({ id }) => {
    const values = tokens.sectionOf.map(() => 0);
    for (const [source, share] of influenceOn(id, effects)) {
      const node = nodes.get(source);
      if (node?.type !== 'embedding') continue;
      if (!(node.place in values)) throw unexpected(`${source}.ctx_idx`, 'the place of a token', node.place);
      values[node.place] = (values[node.place] ?? 0) + share;
    }
    return sectionScores(tokens, values);
  });
  return { text: tokens.text, scores, targets: logits.map(({ name }) => name) };
};

function nodeAt(value: unknown, at: string) {
  const { node_id: id, feature_type: type, ctx_idx: place, clerp }: Fields = fieldsAt(value, at);
  const name = typeof clerp === 'string' ? clerp : '';
  return {
    id: textAt(id, `${at}.node_id`),
    type: textAt(type, `${at}.feature_type`),
    place: numberAt(place, `${at}.ctx_idx`),
    name: /"(.*)"/s.exec(name)?.[1] ?? name, // as in: Output " Paris" (p=0.4)
  };
}

/** Shares of the influence on a node, by the ids of all others; of each node, effects count by their sizes. @throws {RangeError} for a circle */
function influenceOn(id: string, effects: ReadonlyMap<string, readonly Effect[]>): Map<string, number> {
  const influence = new Map<string, number>();
  let current = new Map([[id, 1]]);
  for (let step = 0; current.size > 0; step++) {
    if (step === MAX_STEPS) throw new RangeError(`links: expected ways of at most ${MAX_STEPS} links, got a circle`);
    const next = new Map<string, number>();
    for (const [target, share] of current) {
      const own = effects.get(target) ?? [];
      const total = own.reduce((sum, { weight }) => sum + weight, 0);
      for (const { source, weight } of own)
        if (weight > 0) next.set(source, (next.get(source) ?? 0) + (share * weight) / total);
    }
    for (const [source, share] of next) influence.set(source, (influence.get(source) ?? 0) + share);
    current = next;
  }
  return influence;
}
