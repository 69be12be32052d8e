import { expect, it } from 'vitest';
import { makerOf } from '../../../../src/pages/explain/share-buttons.tsx';

it.each([
  ['a run that is not finished', null, 'b'],
  ['another model is chosen now', 'a 1', 'a'],
  ['the network of a server', 'a 1 @ http://localhost:9/x', 'a'],
  ['a model behind a server', 'gpt @ http://localhost:9', 'gpt'],
  ['a model that was removed', 'c 3', 'c 3'],
])('names the model that made an outcome: %s', (_, modelVersion, name) => {
  const models = [
    { name: 'a', version: 'a 1' },
    { name: 'b', version: 'b 2' },
  ];
  expect(makerOf({ modelVersion }, models, 'b')).toBe(name);
});
