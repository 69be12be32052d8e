import { describe, expect, it } from 'vitest';
import { createThemeStore } from '../../../src/stores/preference-stores.ts';
import { createFakeMemory } from '../../support/fakes/fake-memory.ts';

describe('theme store', () => {
  it('follows the device until another theme is chosen, and keeps that one', () => {
    const memory = createFakeMemory();
    const store = createThemeStore(memory);
    expect(store.getState().theme).toBe('system');
    store.getState().choose('dark');
    expect(createThemeStore(memory).getState().theme).toBe('dark');
  });

  it.each(['"dark"', '{"version":1,"value":"pink"}', '{"version":2,"value":"dark"}', '{'])(
    'follows the device where %s is kept',
    (text) => {
      expect(createThemeStore(createFakeMemory({ 'lightwell.theme': text })).getState().theme).toBe('system');
    },
  );
});
