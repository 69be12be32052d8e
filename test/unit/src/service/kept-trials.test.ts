import { describe, expect, it } from 'vitest';
import { createKeptTrials, keyOf } from '../../../../src/service/kept-trials.ts';
import { createFakeMemory } from '../../../support/fakes/fake-memory.ts';
import { firstModel } from '../../../support/fakes/jobs.ts';

const model = firstModel();
const figures = (speed: number, threads = 1) => ({ threads: 4, others: [{ threads, speed }], skipped: null });

/** What is chosen after trials, each on a visit of its own. */
function chosenAfter(...trials: ReturnType<typeof figures>[]) {
  const memory = createFakeMemory();
  for (const trial of trials) createKeptTrials(memory, 8).add(model, trial);
  return createKeptTrials(memory, 8).chosen(model);
}

describe('kept trials of threads', () => {
  it('choose another number that was faster twice, with the figures', () => {
    expect(chosenAfter(figures(1.3), figures(1.2))).toEqual({
      ...{ count: 1, why: '1 of 8 cores: 1.30 and 1.20 times as fast as 4 when tried' },
    });
  });

  it('stay with the usual number where it was faster, or where a gain came once, and say what was tried', () => {
    expect(chosenAfter(figures(1.3), figures(1.1))).toEqual({
      ...{ count: 4, why: '4 of 8 cores; 1 when tried: 1.30 and 1.10 times as fast' },
    });
    expect(chosenAfter(figures(0.7), figures(0.8))?.count).toBe(4);
  });

  it('choose the number whose worse trial was the better one', () => {
    const trial = (one: number, two: number) => ({
      ...figures(one),
      others: [
        { threads: 1, speed: one },
        { threads: 2, speed: two },
      ],
    });
    expect(chosenAfter(trial(2, 1.3), trial(1.2, 1.4))?.count).toBe(2);
  });

  it('choose nothing after one trial, or where the page had another usual number', () => {
    expect(chosenAfter(figures(3))).toBeUndefined();
    expect(chosenAfter(figures(3), { ...figures(3), threads: 2 })).toBeUndefined();
    expect(chosenAfter(figures(3, 1), figures(3, 2))).toBeUndefined();
  });

  it('do not change the choice during a visit', () => {
    const memory = createFakeMemory();
    createKeptTrials(memory, 8).add(model, figures(2));
    const visit = createKeptTrials(memory, 8);
    expect(visit.wants(model)).toBe(true);
    visit.add(model, figures(2));
    expect(visit.chosen(model)).toBeUndefined();
    expect(createKeptTrials(memory, 8).wants(model)).toBe(false);
  });

  it('hold for one processor and one network', () => {
    const memory = createFakeMemory();
    for (const _ of [1, 2]) createKeptTrials(memory, 8).add(model, figures(2));
    expect(createKeptTrials(memory, 4).chosen(model)).toBeUndefined();
    const other = { ...model, files: { 'onnx/model.onnx': { bytes: 5 } } };
    expect(createKeptTrials(memory, 8).chosen(other)).toBeUndefined();
    expect(keyOf({ ...other, held: { 'onnx/model.onnx': new Blob(['12345']) } })).toBe(keyOf(other));
  });

  it.each([
    '',
    '{',
    '[]',
    '{"version":"0.0.1","cores":8,"models":{}}',
    '{"version":"0.1.0","cores":8,"models":{"a":[{}]}}',
  ])('begin anew where %s is kept', (text) => {
    const memory = createFakeMemory({ 'lightwell.threads': text });
    const trials = createKeptTrials(memory, 8);
    expect(trials.chosen(model)).toBeUndefined();
    expect(trials.wants(model)).toBe(true);
    trials.add(model, figures(2));
    expect(JSON.parse(memory.kept.get('lightwell.threads') ?? '').cores).toBe(8);
  });

  it('are kept of the models that were tried last', () => {
    const memory = createFakeMemory();
    for (let index = 0; index < 52; index++)
      createKeptTrials(memory, 8).add({ ...model, name: `model ${index}` }, figures(1));
    const { models } = JSON.parse(memory.kept.get('lightwell.threads') ?? '');
    expect(Object.keys(models)).toHaveLength(50);
    expect(Object.keys(models)[0]).toMatch(/^model 2 /);
  });

  it('hold for the visit where the storage is full', () => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect(() => createKeptTrials({ ...createFakeMemory(), setItem: full }, 8).add(model, figures(2))).not.toThrow();
  });
});
