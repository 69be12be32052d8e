import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHostileTabs, type HostileTabs } from '../../support/fakes/neighbourhood.ts';
import { sendHostileFrames } from './hostile-frames.ts';

let place: HostileTabs;
beforeAll(async () => {
  place = await openHostileTabs();
});
afterAll(() => place.close());

/** `npm test -- frames` sends a hundred thousand, and measures how long another client waits. */
const FRAMES = 60;

describe('hostile frames', () => {
  it('leave the server to others', async () => {
    const { sent } = await sendHostileFrames(place.server.url, { frames: FRAMES, seed: 1 });
    expect(Object.values(sent).reduce((sum, count) => sum + count, 0)).toBe(FRAMES);
    await place.isWell();
  });
});
