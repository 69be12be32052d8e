import { describe, expect, it, vi } from 'vitest';
import { fetchExclusively } from '../../../../../src/pages/models/own/own-models.ts';
import { fakeOwnModels, keptOf, planOf } from '../../../../support/hub/own-models.ts';

const plan = planOf('owner/one', 50e6);

function fetching(done = 0) {
  const controller = new AbortController();
  const onElsewhere = vi.fn<() => void>();
  const fetch = { plan, token: null, done, signal: controller.signal, onProgress: () => undefined, onElsewhere };
  return { fetch, controller, onElsewhere };
}

describe('fetchExclusively', () => {
  it('asks for room and for lasting storage, and then fetches', async () => {
    const { source, tasks, log } = fakeOwnModels();
    const { fetch, onElsewhere } = fetching();
    const fetched = fetchExclusively(fetch, source);
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    expect(tasks[0]).toMatchObject({ kind: 'fetch', input: { plan, token: null } });
    expect(log).toEqual(['persist']);
    tasks[0]?.done();
    await fetched;
    expect(onElsewhere).not.toHaveBeenCalled();
  });

  it('refuses what the quota does not hold before anything is fetched', async () => {
    const { source, tasks, log } = fakeOwnModels({ used: 10e6, allowed: 60e6 });
    const refused = fetchExclusively(fetching().fetch, source);
    await expect(refused).rejects.toMatchObject({
      problem: { kind: 'space', detail: 'owner/one: expected 55000000 bytes of room, got 50000000' },
    });
    expect([...tasks, ...log]).toEqual([]);
  });

  it('counts what is here already, and asks nothing where the browser does not tell', async () => {
    for (const [space, done] of [
      [{ used: 40e6, allowed: 60e6 }, 40e6],
      [null, 0],
    ] as const) {
      const { source, tasks } = fakeOwnModels(space);
      const fetched = fetchExclusively(fetching(done).fetch, source);
      await vi.waitFor(() => expect(tasks).toHaveLength(1));
      tasks[0]?.done();
      await fetched;
    }
  });

  it('waits for another tab, and then has nothing left to do', async () => {
    const { source, tasks, kept } = fakeOwnModels();
    const first = fetchExclusively(fetching().fetch, source);
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    const { fetch, onElsewhere } = fetching();
    const second = fetchExclusively(fetch, source);
    await vi.waitFor(() => expect(onElsewhere).toHaveBeenCalledOnce());
    kept.push(keptOf(plan.name));
    tasks[0]?.done();
    await Promise.all([first, second]);
    expect(tasks).toHaveLength(1);
  });

  it('fetches another commit, or what a folder of the device was stored as', async () => {
    const { from } = plan;
    for (const stored of [{ ...from, commit: 'older' }, null]) {
      const { source, tasks, kept } = fakeOwnModels();
      kept.push({ ...keptOf(plan.name), from: stored });
      const fetched = fetchExclusively(fetching().fetch, source);
      await vi.waitFor(() => expect(tasks).toHaveLength(1));
      tasks[0]?.done();
      await fetched;
    }
  });

  it('takes over where the other tab has failed, and leaves the wait when it is aborted', async () => {
    const { source, tasks } = fakeOwnModels();
    const first = fetchExclusively(fetching().fetch, source);
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    const { fetch: left, controller, onElsewhere } = fetching();
    const leaving = fetchExclusively(left, source);
    const second = fetchExclusively(fetching().fetch, source);
    await vi.waitFor(() => expect(onElsewhere).toHaveBeenCalledOnce());
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ name: 'AbortError' });
    tasks[0]?.failed({ kind: 'unreachable', detail: 'cut' });
    await expect(first).rejects.toMatchObject({ problem: { kind: 'unreachable' } });
    await vi.waitFor(() => expect(tasks).toHaveLength(2));
    tasks[1]?.done();
    await second;
  });
});
