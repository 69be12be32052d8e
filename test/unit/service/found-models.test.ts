import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../src/models/catalogue.ts';
import type { Inspection } from '../../../src/protocol/model-job.ts';
import type { Submit } from '../../../src/scheduler/scheduler.ts';
import { addFoundModel, removeFoundModel } from '../../../src/service/found-models.ts';
import { createServiceSettings } from '../../../src/service/service-settings.ts';
import { firstModel } from '../../support/fakes/jobs.ts';
import { CALIBRATION } from '../../support/silent-client.ts';

const INSPECTION: Omit<Inspection, 'files'> = {
  tier: 'as_exported',
  reason: 'it carries state',
  capabilities: ['complete'],
  dtype: 'q4',
  weights: { kind: 'q4', fileBytes: 2e6, computedBytes: 8e6 },
  contextTokens: 128,
  kind: 'lfm2',
};
const FLOATS = { ...INSPECTION, dtype: 'fp32', weights: { kind: 'fp32', fileBytes: 8e6, computedBytes: 8e6 } } as const;

/** A catalogue with one model, and a worker whose jobs are noted. @param kinds  none: it cannot inspect */
function setUp(...kinds: readonly (typeof INSPECTION)[]) {
  const jobs: string[] = [];
  const submit = (async (
    kind: string,
    { folder, files: sizes = {} }: Partial<Record<'files', object>> & { folder: string },
  ) => {
    jobs.push(`${kind} ${folder}`);
    const failure = { code: 'OUT_OF_MEMORY', message: 'no memory' };
    const files = Object.fromEntries(Object.entries(sizes).map(([path, bytes]) => [path, { bytes }]));
    const value = kinds.map((each) => ({ ...each, files }));
    return kinds.length === 0 ? { ok: false, failure } : { ok: true, value };
  }) as unknown as Submit;
  const catalogue = createCatalogue([firstModel()]);
  const settings = createServiceSettings(null, catalogue);
  return { jobs, options: { submit, catalogue, settings }, catalogue };
}

const found = (folder: string) => ({
  name: 'owner/one',
  folder,
  files: { 'onnx/model_q4.onnx': 2_000_000 },
  modified: 5,
});

describe('a model that is found while the page runs', () => {
  it('is listed with what its folder tells', async () => {
    const { options, catalogue } = setUp(INSPECTION);
    await addFoundModel(found('one/'), options);
    expect(catalogue.find('owner/one')).toMatchObject({
      tier: 'as_exported',
      reason: 'it carries state',
      dtype: 'q4',
      files: { 'onnx/model_q4.onnx': { bytes: 2e6 } },
      description: 'A model on this computer: lfm2, q4, 2.0 MB.',
    });
  });

  it('takes the place of an older one of its name, which is released', async () => {
    const { options, jobs, catalogue } = setUp(INSPECTION);
    await addFoundModel(found('one/'), options);
    await addFoundModel(found('one (2)/'), options);
    await addFoundModel(found('one (2)/'), options);
    expect(jobs).toEqual(['inspect one/', 'inspect one (2)/', 'unload one/', 'inspect one (2)/']);
    expect(catalogue.models).toHaveLength(2);
  });

  it('is listed once for each kind of its weights, and found by each kind', async () => {
    const { options, catalogue } = setUp(FLOATS, INSPECTION);
    const added = await addFoundModel(found('one/'), options);
    expect(catalogue.models.map(({ name }) => name).slice(1)).toEqual(['owner/one', 'owner/one:q4']);
    expect(added).toBe(catalogue.find('owner/one'));
    expect(catalogue.find('owner/one:fp32')).toBe(added);
    expect(catalogue.find('owner/one:q4')).toMatchObject({ dtype: 'q4', version: 'owner/one:q4', folder: 'one/' });
    expect(catalogue.find('owner/one:q8')).toBeUndefined();
  });

  it('leaves no kind behind that its folder has lost, and none of another folder', async () => {
    const both = setUp(FLOATS, INSPECTION);
    const one = setUp(FLOATS);
    await addFoundModel(found('one/'), both.options);
    await addFoundModel({ ...found('two/'), name: 'owner/one-more' }, both.options);
    const options = { ...both.options, submit: one.options.submit };
    await addFoundModel(found('one (2)/'), options);
    const names = () =>
      both.catalogue.models
        .map(({ name }) => name)
        .slice(1)
        .toSorted();
    expect(names()).toEqual(['owner/one', 'owner/one-more', 'owner/one-more:q4']);
    removeFoundModel('owner/one-more', options);
    expect(names()).toEqual(['owner/one']);
    expect(one.jobs).toEqual(['inspect one (2)/', 'unload one/', 'unload two/']);
  });

  it.each([
    ['as large and as old', 100, 5, true],
    ['of another size', 101, 5, false],
    ['changed since', 100, 6, false],
  ])('keeps its calibration where its folder is %s: %d, %s', async (_, bytes, modified, isKept) => {
    const { options } = setUp(INSPECTION);
    options.settings.set({ calibrations: { 'owner/one': CALIBRATION, 'owner/two': CALIBRATION } });
    await addFoundModel(
      { ...found('one/'), files: { 'config.json': 10, 'onnx/model.onnx': bytes - 10 }, modified },
      options,
    );
    const names = Object.keys(options.settings.get().calibrations);
    expect(names).toEqual(isKept ? ['owner/one', 'owner/two'] : ['owner/two']);
  });

  it('is released when it is removed; what the page began with stays', async () => {
    const { options, jobs, catalogue } = setUp(INSPECTION);
    await addFoundModel(found('one/'), options);
    removeFoundModel('owner/one', options);
    removeFoundModel('owner/one', options);
    removeFoundModel(firstModel().name, options);
    expect(jobs).toEqual(['inspect one/', 'unload one/']);
    expect(catalogue.models.map(({ name }) => name)).toEqual([firstModel().name]);
  });

  it('is not listed where it cannot even be looked at', async () => {
    const { options, catalogue } = setUp();
    await expect(addFoundModel(found('one/'), options)).rejects.toThrow('owner/one could not be looked at: no memory');
    expect(catalogue.models).toHaveLength(1);
  });
});
