import { describe, expect, it, vi } from 'vitest';
import type { Rank } from '../../../../src/protocol/messages.ts';
import { createTurns } from '../../../../workers/serving/serve.ts';
import { eventually } from '../../../support/eventually.ts';

const NEVER = new AbortController().signal;

function setUp() {
  const clock = { ms: 0 };
  const turns = createTurns(() => clock.ms);
  const order: string[] = [];
  /** A run of so many batches; `batch` is called in each. */
  const run = async (name: string, rank: Rank, batches: number, batch: () => void = () => undefined) => {
    for (let i = 0; i < batches; i++) {
      await turns.next(rank, NEVER);
      order.push(name);
      batch();
    }
    turns.leave(rank);
  };
  return { clock, turns, order, run };
}

const giant = () => ({ nice: false, cost: 1e6 });
const cheap = () => ({ nice: false, cost: 10 });

describe('createTurns', () => {
  it('lets a cheap run in between the batches of a costly one', async () => {
    const { order, run } = setUp();
    const cheapOnes: Promise<void>[] = [];
    await run('giant', giant(), 3, () => void cheapOnes.push(run('cheap', cheap(), 1)));
    await Promise.all(cheapOnes);
    expect(order).toEqual(['giant', 'cheap', 'giant', 'cheap', 'giant', 'cheap']);
  });

  it('lets a message in before each batch, however many came before', async () => {
    const { order, run } = setUp();
    const { port1, port2 } = new MessageChannel();
    const cheapOnes: Promise<void>[] = [];
    port2.onmessage = () => void cheapOnes.push(run('cheap', cheap(), 1));
    await run('giant', giant(), 8, () => port1.postMessage(null));
    await eventually(() => expect(cheapOnes).toHaveLength(8));
    await Promise.all(cheapOnes);
    port1.close();
    expect(order).toEqual(Array.from({ length: 8 }, () => ['giant', 'cheap']).flat());
  });

  it('finishes the cheaper of two first', async () => {
    const { order, run } = setUp();
    await Promise.all([run('large', { nice: false, cost: 20 }, 3), run('small', { nice: false, cost: 10 }, 3)]);
    expect(order).toEqual(['small', 'small', 'small', 'large', 'large', 'large']);
  });

  it('gives a costly run its turn after a second, however many cheap ones come', async () => {
    const { clock, order, run } = setUp();
    const more = async () => {
      for (let i = 0; i < 30; i++) await Promise.all([run('cheap', cheap(), 1), run('cheap', cheap(), 1)]);
    };
    const flood = () => void (clock.ms += 100);
    await Promise.all([run('giant', giant(), 3), run('cheap', cheap(), 60, flood), more()]);
    const places = order.flatMap((name, place) => (name === 'giant' ? [place] : []));
    expect(places).toHaveLength(3);
    expect(places[0]).toBeGreaterThan(5);
    expect(places[2]).toBeLessThan(order.length - 10);
  });

  it('lets cheap runs have as much time as a long batch took', async () => {
    const { clock, order, run } = setUp();
    const take = (ms: number) => () => void (clock.ms += ms);
    await Promise.all([run('giant', giant(), 2, take(5_000)), run('cheap', cheap(), 40, take(500))]);
    const [first = 0, second = 0] = order.flatMap((name, place) => (name === 'giant' ? [place] : []));
    expect(second - first).toBeGreaterThan(5_000 / 500);
    expect(second - first).toBeLessThan((2 * 5_000) / 500);
  });

  it('puts nice runs last, and lets them age too', async () => {
    const { clock, order, run } = setUp();
    const tick = () => void (clock.ms += 3_000);
    await Promise.all([run('nice', { nice: true, cost: 1 }, 2), run('normal', giant(), 6, tick)]);
    expect(order).toEqual(['normal', 'normal', 'normal', 'normal', 'nice', 'normal', 'normal', 'nice']);
  });

  it('lets nobody wait for a run that asks for no turn', async () => {
    const { turns, order, run } = setUp();
    const loading = cheap(); // its model is being loaded
    await run('giant', giant(), 2);
    turns.leave(loading);
    expect(order).toEqual(['giant', 'giant']);
  });

  it('ends the wait of a cancelled run, and goes on with the others', async () => {
    const { turns, order, run } = setUp();
    const holder = cheap();
    await turns.next(holder, NEVER);
    const cancelling = new AbortController();
    const waiting = turns.next(giant(), cancelling.signal);
    cancelling.abort();
    await waiting;
    const next = run('next', giant(), 1);
    turns.leave(holder);
    await next;
    expect(order).toEqual(['next']);
  });

  it('lingers after a cheap run, so that the next of its caller comes before a costly batch', async () => {
    const { turns, order, run } = setUp();
    const first = cheap();
    await turns.next(first, NEVER);
    const costly = run('giant', giant(), 1);
    turns.leave(first);
    await new Promise((resolve) => setImmediate(resolve));
    const second = run('second', cheap(), 1);
    await Promise.all([costly, second]);
    expect(order).toEqual(['second', 'giant']);
  });

  it('lingers also where both had asked for the turn', async () => {
    const { turns, order, run } = setUp();
    const costly = run('giant', giant(), 1);
    const first = cheap();
    await turns.next(first, NEVER);
    turns.leave(first);
    for (let task = 0; task < 3; task++) await new Promise((resolve) => setImmediate(resolve));
    const second = run('second', cheap(), 1);
    await Promise.all([costly, second]);
    expect(order).toEqual(['second', 'giant']);
  });

  it('does not linger for a run that costs about as much', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { turns, order, run } = setUp();
    const first = giant();
    await turns.next(first, NEVER);
    timers.mockClear();
    const other = run('other', giant(), 1);
    turns.leave(first);
    await other;
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
    await eventually(() => expect(order).toEqual(['other']));
  });
});
