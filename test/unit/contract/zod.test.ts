import { describe, expect, it } from 'vitest';
import { config } from 'zod/v4/core';
import { EmbedRequest } from '../../../src/contract/embed.ts';

describe('the validator', () => {
  it('is never compiled: the policy of the page forbids eval', () => {
    const { Function: original } = globalThis;
    const seen: unknown[] = [];
    globalThis.Function = new Proxy(original, {
      construct(_, source) {
        seen.push(source);
        return () => undefined;
      },
    });
    try {
      expect(EmbedRequest.safeParse({ model: 'a', prompt: 'b' }).success).toBe(true);
    } finally {
      globalThis.Function = original;
    }
    expect(seen).toEqual([]);
    expect(config()).toMatchObject({ jitless: true });
  });
});
