import { describe, expect, it } from 'vitest';
import { ErrorBody } from '../../src/contract/request.ts';
import { createPage, post } from '../support/page.ts';
import { MALFORMED } from './malformed.ts';

describe('bad input', () => {
  it.each(MALFORMED)('refuses %s', async (_, path, body, status, code, message) => {
    const response = await createPage().router.fetch(post(path, body));
    const refusal = { status: response.status, ...ErrorBody.parse(await response.json()) };
    expect(refusal).toMatchObject({ status, code, error: expect.stringMatching(message) });
  });

  it('takes NUL for a character like any other', async () => {
    const body = { model: 'lightwell-base', prompt: 'a\0b' };
    expect((await createPage().router.fetch(post('/embed', body))).status).toBe(200);
  });
});
