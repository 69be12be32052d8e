import { expect, it, vi } from 'vitest';
import { failure } from '../../../../src/contract/failure.ts';
import { embeddedModels } from '../../../../src/models/catalogue.ts';
import { submitTo } from '../../../../src/scheduler/lanes.ts';

it('sends each job to the worker that serves its kind, with its options', async () => {
  const inference = vi.fn(async () => failure('INTERNAL', 'inference'));
  const documents = vi.fn(async () => failure('INTERNAL', 'documents'));
  const submit = submitTo({ inference, documents });
  const [model] = embeddedModels('http://localhost/');
  if (!model) throw new Error('expected an embedded model');
  const file = { docx: '', path: 'documents[0].docx' };
  expect(await submit('prepare', { model }, { nice: true })).toMatchObject({ failure: { message: 'inference' } });
  expect(await submit('extractText', file, { nice: true })).toMatchObject({ failure: { message: 'documents' } });
  expect(inference).toHaveBeenCalledExactlyOnceWith('prepare', { model }, { nice: true });
  expect(documents).toHaveBeenCalledExactlyOnceWith('extractText', file, { nice: true });
});
