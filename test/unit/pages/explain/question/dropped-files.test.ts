import { describe, expect, it } from 'vitest';
import { createEngineStore } from '../../../../../src/stores/status-stores.ts';
import { MODEL_FACTS, NO_HOME, SILENT_CLIENT } from '../../../../support/silent-client.ts';
import { createModelsStore } from '../../../../../src/stores/models-store.ts';
import { createVariationsStore } from '../../../../../src/pages/explain/variations/variations-store.ts';
import { takePromptFile } from '../../../../../src/pages/explain/question/dropped-files.ts';
import { createFakeClient, setUpExplain } from '../../../../support/fakes/fake-explain.ts';

function setUp() {
  const { store: explain, state } = setUpExplain();
  const readText = () => Promise.reject(new Error('not asked'));
  const stores = {
    explain,
    engine: createEngineStore('m', () => undefined),
    models: createModelsStore({ modelFacts: [MODEL_FACTS], home: NO_HOME, client: SILENT_CLIENT, readText }),
    variations: createVariationsStore({ client: createFakeClient().client, model: 'm' }),
  };
  return { state, variations: stores.variations.getState, drop: (...files: File[]) => takePromptFile(files, stores) };
}

const note = new File(['Où?\n'], 'note.txt', { type: 'text/plain' });

describe('takePromptFile', () => {
  it('computes a record again, and leaves the prompt', async () => {
    const { state, variations, drop } = setUp();
    const before = state().question;
    expect(await drop(new File(['{"lightwell_record": 7}'], 'record.json'))).toBeNull();
    expect(variations().records?.getState()).toMatchObject({ name: 'record.json' });
    expect(state().question).toEqual(before);
  });

  it('makes a text the prompt, and can be undone', async () => {
    const { state, drop } = setUp();
    const before = state().question;
    expect(await drop(note)).toBeNull();
    expect(state().question).toEqual({ ...before, prompt: 'Où?\n' });
    state().undo();
    expect(state().question).toEqual(before);
  });

  it.each([
    [
      'a file that is no text',
      [new File([Uint8Array.of(0x50, 0x4b, 0xff, 0)], 'a.docx')],
      '‘a.docx’ is neither text nor',
    ],
    ['a binary file of ASCII', [new File(['a\0b'], 'a.bin')], '‘a.bin’ is neither text nor a picture'],
    ['a text that is too long', [new File(['a'.repeat(60_000)], 'a.txt')], 'That text has 60,000 characters'],
    ['a file that is far too large', [new File(['a'.repeat(200_000)], 'a.txt')], '‘a.txt’ is too large'],
    [
      'a picture that the model cannot read',
      [new File([''], 'a.png', { type: 'image/png' })],
      'The model m cannot read',
    ],
    ['several files', [note, note], 'Drop one file at a time.'],
  ])('refuses %s in words, and changes nothing', async (_name, files, text) => {
    const { state, drop } = setUp();
    const before = state().question;
    expect(await drop(...files)).toContain(text);
    expect(state().question).toEqual(before);
  });
});
