import { describe, expect, it } from 'vitest';
import { EXAMPLE_TABLE } from '../../../../../src/state/meaning/example-comments.ts';
import { createRoom } from '../../../../../src/state/meaning/room.ts';
import { tableOf } from '../../../../../src/state/meaning/texts.ts';
import { createLetterClient } from '../../../../support/meaning/letter-client.ts';
import { createFakeMemory } from '../../../../support/fakes/fake-memory.ts';
import { createNearAnalysis } from '../../../../support/meaning/near-analysis.ts';

function setUp() {
  const [client, memory] = [createLetterClient(), createFakeMemory()];
  return { client, memory, room: createRoom({ client, memory }, createNearAnalysis()) };
}
const problem = { status: 503, code: 'DEVICE_LOST', message: 'lost' };

describe('the input', () => {
  it('keeps a pasted text over a reload, and neither a longer one nor one that is gone', () => {
    const { client, memory, room } = setUp();
    const reloaded = () => createRoom({ client, memory }, createNearAnalysis()).input.getState().text;
    const { write } = room.input.getState();
    write('a parcel\na refund');
    expect(reloaded()).toBe('a parcel\na refund');
    write('a'.repeat(200_001));
    expect(reloaded()).toBe('');
    write('b');
    write('');
    expect(reloaded()).toBe('');
  });
});

describe('the collection', () => {
  it('reads texts in batches, and undoes', async () => {
    const { client, room } = setUp();
    const { collect, undo } = room.collection.getState();
    await collect(EXAMPLE_TABLE);
    expect(room.collection.getState()).toMatchObject({ phase: { kind: 'idle' }, collected: { count: 60, cut: 0 } });
    await collect(tableOf(Array.from({ length: 250 }, (_, index) => `text ${index}`)));
    expect(client.batches.map(({ length }) => length)).toEqual([60, 100, 100, 50]);
    await undo();
    expect(room.collection.getState().collected?.table).toBe(EXAMPLE_TABLE);
    expect(client.batches, 'nothing is embedded again').toHaveLength(4);
    const { neighbours } = await room.analysis.run('neighbours', { index: 0, most: 100 });
    expect(neighbours).toHaveLength(59);
  });

  it('stops at a problem, keeps what was read, and goes on from there', async () => {
    const { client, room } = setUp();
    const { batchSemanticEmbed } = client;
    let calls = 0;
    client.batchSemanticEmbed = (...call) =>
      ++calls === 2 ? Promise.resolve({ ok: false, problem }) : batchSemanticEmbed(...call);
    const { collect, goOn } = room.collection.getState();
    await collect(tableOf(Array.from({ length: 150 }, (_, index) => `text ${index}`)));
    expect(room.collection.getState()).toMatchObject({
      phase: { kind: 'stopped', problem },
      collected: { count: 100 },
    });
    await goOn();
    expect(room.collection.getState()).toMatchObject({ phase: { kind: 'idle' }, collected: { count: 150 } });
  });

  it('stops where the user stops it', async () => {
    const { room } = setUp();
    const { collect, stop } = room.collection.getState();
    const reading = collect(tableOf(Array.from({ length: 150 }, (_, index) => `text ${index}`)));
    stop();
    await reading;
    expect(room.collection.getState().phase).toEqual({ kind: 'stopped', problem: null });
  });

  it('cuts a text that is longer than the model reads, and counts it', async () => {
    const { client, room } = setUp();
    const { batchSemanticEmbed } = client;
    client.batchSemanticEmbed = async (body, options) => {
      const at = body.prompts.findIndex((text) => String(text).length > 100);
      if (at < 0) return batchSemanticEmbed(body, options);
      const message = `prompts[${at}]: expected at most 100 tokens, got ${String(body.prompts[at]).length}`;
      return { ok: false, problem: { status: 400, code: 'PROMPT_TOO_LONG', message } };
    };
    await room.collection.getState().collect(tableOf(['short', 'long '.repeat(100)]));
    expect(room.collection.getState().collected).toMatchObject({ count: 2, cut: 1 });
    expect(client.batches[0]?.[1]?.length).toBeLessThanOrEqual(100);
  });

  it('tells how long the rest will take once it has measured', async () => {
    const { room } = setUp();
    expect(room.pace.estimate(['a'])).toBeNull();
    room.pace.take(['x'.repeat(60)], 200);
    expect(room.pace.estimate(['x'.repeat(60), 'x'.repeat(10)])).toBeCloseTo(300, 6);
    expect(
      createRoom({ client: createLetterClient(), memory: createFakeMemory() }, createNearAnalysis()).pace.current(),
    ).toBeNull();
  });
});

describe('the search', () => {
  it('follows the collection as it grows, and is cleared with its query', async () => {
    const { room } = setUp();
    await room.search.getState().search('refund');
    expect(room.search.getState().found).toBeNull();
    await room.collection.getState().collect(EXAMPLE_TABLE);
    await expect.poll(() => room.search.getState().found?.searched).toBe(60);
    const [best] = room.search.getState().found?.hits ?? [];
    expect(EXAMPLE_TABLE.texts[best?.index ?? -1]).toContain('refund');
    expect(best?.terms).toEqual(['refund']);
    await room.search.getState().search(' ');
    expect(room.search.getState().found).toBeNull();
  });
});

describe('the map', () => {
  it('draws places and groups, and is cleared by other texts', async () => {
    const { room } = setUp();
    await room.collection.getState().collect(EXAMPLE_TABLE);
    await room.map.getState().draw();
    expect(room.map.getState()).toMatchObject({ progress: null, problem: null, drawn: { method: 'umap' } });
    expect(room.map.getState().groups?.labels).toHaveLength(60);
    room.desk.getState().choose([3, 1, 3]);
    expect(room.desk.getState().chosen).toEqual([1, 3]);
    room.desk.getState().choose([]);
    room.desk.getState().undo();
    expect(room.desk.getState()).toMatchObject({ chosen: [1, 3], replaced: null });
    await room.collection.getState().collect(tableOf(['a', 'b']));
    expect(room.map.getState()).toMatchObject({ drawn: null, groups: null });
    expect(room.desk.getState().chosen).toEqual([]);
    await room.map.getState().draw();
    expect(room.map.getState().drawn?.points).toHaveLength(4);
  });
});

describe('what was opened', () => {
  it('comes back after it was closed, until something else is opened', () => {
    const { room } = setUp();
    const { openFiles, openRows, close, reopen } = room.input.getState();
    openFiles([{ name: 'a.txt', text: 'one\ntwo' }], 'line');
    close();
    expect(room.input.getState().table().texts).toEqual([]);
    reopen();
    expect(room.input.getState().table().texts).toEqual(['one', 'two']);
    close();
    openRows('b.csv', { names: ['note'], rows: [['three']] });
    expect(room.input.getState().closed).toBeNull();
  });
});

describe('sorting', () => {
  it('takes categories from a column, measures, and undoes', async () => {
    const { room } = setUp();
    await room.collection.getState().collect(EXAMPLE_TABLE);
    const { takeColumn, sort, undo, give } = room.sort.getState();
    takeColumn('topic');
    expect(room.sort.getState().categories).toHaveLength(6);
    await sort();
    expect(room.sort.getState().sorted?.measured).toMatchObject({ examples: 60, folds: 60 });
    give(0, null);
    expect(room.sort.getState().examples.size).toBe(59);
    undo();
    expect(room.sort.getState().examples.size).toBe(60);
  });

  it('has categories and examples again when its texts come back', async () => {
    const { room } = setUp();
    const { collect, undo } = room.collection.getState();
    await collect(EXAMPLE_TABLE);
    room.sort.getState().takeColumn('topic');
    await collect(tableOf(['a', 'b']));
    expect(room.sort.getState()).toMatchObject({ categories: [], before: null });
    await undo();
    expect(room.sort.getState().categories).toHaveLength(6);
    expect(room.sort.getState().examples.size).toBe(60);
  });
});
