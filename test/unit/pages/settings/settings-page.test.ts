import { createElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../src/contract/settings.ts';
import { SettingsPage } from '../../../../src/pages/settings/settings-page.tsx';
import { MODEL_FACTS } from '../../../support/silent-client.ts';
import { renderedIn, silentStores } from '../../../support/silent-page.ts';

const ADDRESS = 'http://localhost:8000/v1';
const OWN = { ...MODEL_FACTS, name: 'own' };
const THERE = { ...MODEL_FACTS, name: 'there', upstream: ADDRESS };

/** The page with a model of its own, an engine, and a server with a model. */
function pageWith(upstream: Partial<typeof DEFAULT_SETTINGS.upstream> = {}): string {
  const settings = {
    engine: { ...DEFAULT_SETTINGS.engine, address: 'https://engine.example' },
    upstream: { ...DEFAULT_SETTINGS.upstream, address: ADDRESS, ...upstream },
    defaultModels: { ...DEFAULT_SETTINGS.defaultModels, explain: 'away' },
  };
  const stores = silentStores({ settings, modelFacts: [OWN, THERE], choices: { explain: ['own', 'there'] } });
  return renderedIn(stores, createElement(SettingsPage));
}

beforeEach(() => void vi.stubGlobal('navigator', { hardwareConcurrency: 4 })); // Node 20 has none
afterEach(() => void vi.unstubAllGlobals());

describe('SettingsPage', () => {
  it('offers the engine for models that run in the page, and not for those of a server', () => {
    expect(pageWith()).toContain('own stands for');
    expect(pageWith()).not.toContain('there stands for');
  });

  it('asks what a request may cost once a price is known', () => {
    expect(pageWith()).not.toContain('Cost of one request');
    expect(pageWith({ pricePerMillionTokens: 2 })).toContain('Cost of one request of this page, at most');
  });

  it('shows a chosen model that is not listed, and offers the automatic choice', () => {
    const page = pageWith();
    expect(page).toContain('<option value="away" selected="">away (not listed now)</option>');
    expect(page).toContain('<option value="">Automatic (own)</option>');
    expect(page).toContain('<option value="there">there</option>');
  });
});
