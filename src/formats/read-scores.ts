import { isRecord } from '../contract/records.ts';
import { unexpected } from './fields.ts';
import { ofAttributionGraph } from './attribution-graph.ts';
import { ofAt2, ofCaptum, ofContextCite, ofInseq, ofLightwell, ofLime, ofShap, type ReadScores } from './readers.ts';

/** Fields by which a format is known, and what reads it. */
const FORMATS = [
  { fields: ['request', 'response'], read: ofLightwell },
  { fields: ['input_tokens', 'output_tokens'], read: ofCaptum },
  { fields: ['__instance_type__', 'attributes'], read: ofInseq },
  { fields: ['values', 'data'], read: ofShap },
  { fields: ['as_list', 'text'], read: ofLime },
  { fields: ['attributions', 'context'], read: ofContextCite },
  { fields: ['sources', 'scores'], read: ofAt2 },
  { fields: ['metadata', 'nodes', 'links'], read: ofAttributionGraph },
];

/**
 * The scores of another tool, for `<lightwell-heat-map>`.
 *
 * @param value  of JSON; docs/heat-map.md says how each tool writes it
 * @throws {RangeError} with the place, the expectation and the value
 */
export function readScores(value: unknown): ReadScores {
  const known = isRecord(value) && FORMATS.find(({ fields }) => fields.every((name) => Object.hasOwn(value, name)));
  if (isRecord(value) && known) return { unit: 'share', ...known.read(value) };
  const expected = FORMATS.map(({ fields }) => fields.join(' and ')).join(', or ');
  throw unexpected('scores', `an object with ${expected}`, value);
}
