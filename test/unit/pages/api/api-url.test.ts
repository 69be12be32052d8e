import { describe, expect, it } from 'vitest';
import { apiUrl } from '../../../../src/pages/api/snippets.ts';

describe('apiUrl', () => {
  it.each([
    ['http://localhost:5448/', 'http://localhost:5448/api'],
    ['http://localhost:5448/index.html?backend=wasm#/api', 'http://localhost:5448/api'],
    ['https://host.example/tools/lightwell/#/api', 'https://host.example/tools/lightwell/api'],
    ['https://host.example/tools/lightwell/index.html', 'https://host.example/tools/lightwell/api'],
  ])('of %s is %s', (page, url) => expect(apiUrl(page).href).toBe(url));
});
