import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../src/models/catalogue.ts';
import type { Inspection } from '../../../src/protocol/model-job.ts';
import type { Submit } from '../../../src/scheduler/scheduler.ts';
import { addFoundModel, replaceFoundModel } from '../../../src/service/found-models.ts';
import { createServiceSettings } from '../../../src/service/service-settings.ts';
import { firstModel } from '../../support/fakes/jobs.ts';
import { CALIBRATION } from '../../support/silent-client.ts';

const INSPECTION: Inspection = {
  tier: 'as_exported',
  reason: 'it carries state',
  capabilities: ['complete'],
  dtype: 'q4',
  contextTokens: 128,
  kind: 'lfm2',
};

/** A catalogue with one model, and a worker whose jobs are noted. */
function setUp(inspection: Inspection | null = INSPECTION) {
  const jobs: string[] = [];
  const submit = (async (kind: string, input: { readonly folder: string }) => {
    jobs.push(`${kind} ${input.folder}`);
    const failure = { code: 'OUT_OF_MEMORY', message: 'no memory' };
    return inspection === null ? { ok: false, failure } : { ok: true, value: inspection };
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
    const { options, catalogue } = setUp();
    await addFoundModel(found('one/'), options);
    expect(catalogue.find('owner/one')).toMatchObject({
      tier: 'as_exported',
      reason: 'it carries state',
      dtype: 'q4',
      files: { 'onnx/model_q4.onnx': { bytes: 2e6 } },
      description: 'A model on this computer: lfm2, q4, 2.0 MB in its folder.',
    });
  });

  it('takes the place of an older one of its name, which is released', async () => {
    const { options, jobs, catalogue } = setUp();
    await addFoundModel(found('one/'), options);
    await addFoundModel(found('one (2)/'), options);
    await addFoundModel(found('one (2)/'), options);
    expect(jobs).toEqual(['inspect one/', 'inspect one (2)/', 'unload one/', 'inspect one (2)/']);
    expect(catalogue.models).toHaveLength(2);
  });

  it.each([
    ['as large and as old', 100, 5, true],
    ['of another size', 101, 5, false],
    ['changed since', 100, 6, false],
  ])('keeps its calibration where its folder is %s: %d, %s', async (_, bytes, modified, isKept) => {
    const { options } = setUp();
    options.settings.set({ calibrations: { 'owner/one': CALIBRATION, 'owner/two': CALIBRATION } });
    await addFoundModel(
      { ...found('one/'), files: { 'config.json': 10, 'onnx/model.onnx': bytes - 10 }, modified },
      options,
    );
    const names = Object.keys(options.settings.get().calibrations);
    expect(names).toEqual(isKept ? ['owner/one', 'owner/two'] : ['owner/two']);
  });

  it('is released when it is removed; what the page began with stays', async () => {
    const { options, jobs, catalogue } = setUp();
    await addFoundModel(found('one/'), options);
    replaceFoundModel('owner/one', null, options);
    replaceFoundModel('owner/one', null, options);
    replaceFoundModel(firstModel().name, null, options);
    expect(jobs).toEqual(['inspect one/', 'unload one/']);
    expect(catalogue.models.map(({ name }) => name)).toEqual([firstModel().name]);
  });

  it('is not listed where it cannot even be looked at', async () => {
    const { options, catalogue } = setUp(null);
    await expect(addFoundModel(found('one/'), options)).rejects.toThrow('owner/one could not be looked at: no memory');
    expect(catalogue.models).toHaveLength(1);
  });
});
