import { describe, expect, it, vi } from 'vitest';
import { EXAMPLE_TABLE } from '../../../../src/pages/meaning/example-comments.ts';
import { createMeaningStores } from '../../../../src/pages/meaning/meaning-stores.ts';
import { textTableOf } from '../../../../src/pages/meaning/input-store.ts';
import { createLetterClient } from '../../../support/meaning/letter-client.ts';
import { createFakeMemory } from '../../../support/fakes/fake-memory.ts';
import { createNearAnalysis } from '../../../support/meaning/near-analysis.ts';

function setUp() {
  const [client, memory] = [createLetterClient(), createFakeMemory()];
  return { client, memory, stores: createMeaningStores({ client, memory }, createNearAnalysis()) };
}
const problem = { status: 503, code: 'DEVICE_LOST', message: 'lost' };

describe('the input', () => {
  it('keeps a pasted text over a reload, and neither a longer one nor one that is gone', () => {
    const { client, memory, stores } = setUp();
    const reloaded = () => createMeaningStores({ client, memory }, createNearAnalysis()).input.getState().text;
    const { write } = stores.input.getState();
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
    const { client, stores } = setUp();
    const { collect, undo } = stores.collection.getState();
    await collect(EXAMPLE_TABLE);
    expect(stores.collection.getState()).toMatchObject({ phase: { kind: 'idle' }, collected: { count: 60, cut: 0 } });
    await collect(textTableOf(Array.from({ length: 250 }, (_, index) => `text ${index}`)));
    expect(client.batches.map(({ length }) => length)).toEqual([60, 100, 100, 50]);
    await undo();
    expect(stores.collection.getState().collected?.table).toBe(EXAMPLE_TABLE);
    expect(client.batches, 'nothing is embedded again').toHaveLength(4);
    const { neighbours } = await stores.analysis.run('neighbours', { index: 0, most: 100 });
    expect(neighbours).toHaveLength(59);
  });

  it('stops at a problem, keeps what was read, and goes on from there', async () => {
    const { client, stores } = setUp();
    const { batchSemanticEmbed } = client;
    let calls = 0;
    client.batchSemanticEmbed = (...call) =>
      ++calls === 2 ? Promise.resolve({ ok: false, problem }) : batchSemanticEmbed(...call);
    const { collect, resume } = stores.collection.getState();
    await collect(textTableOf(Array.from({ length: 150 }, (_, index) => `text ${index}`)));
    expect(stores.collection.getState()).toMatchObject({
      phase: { kind: 'stopped', problem },
      collected: { count: 100 },
    });
    await resume();
    expect(stores.collection.getState()).toMatchObject({ phase: { kind: 'idle' }, collected: { count: 150 } });
  });

  it('stops where the user stops it', async () => {
    const { stores } = setUp();
    const { collect, stop } = stores.collection.getState();
    const reading = collect(textTableOf(Array.from({ length: 150 }, (_, index) => `text ${index}`)));
    stop();
    await reading;
    expect(stores.collection.getState().phase).toEqual({ kind: 'stopped', problem: null });
  });

  it('goes on after a stop once the batch on its way to the worker is there', async () => {
    const { client, stores } = setUp();
    const { analysis, collection } = stores;
    const { collect, stop, resume } = collection.getState();
    const { run } = analysis;
    let goingOn: Promise<void> | null = null;
    vi.spyOn(analysis, 'run').mockImplementation((task, input, options) => {
      const adding = run(task, input, options);
      if (client.batches.length === 1 && goingOn === null) {
        stop();
        goingOn = resume();
      }
      return adding;
    });
    await collect(textTableOf(Array.from({ length: 150 }, (_, index) => `text ${index}`)));
    await goingOn;
    expect(client.batches.map(({ length }) => length)).toEqual([100, 50]);
    expect(collection.getState()).toMatchObject({ phase: { kind: 'idle' }, collected: { count: 150 } });
    const { neighbours } = await analysis.run('neighbours', { index: 0, most: 200 });
    expect(neighbours).toHaveLength(149);
  });

  it('cuts a text that is longer than the model reads, and counts it', async () => {
    const { client, stores } = setUp();
    const { batchSemanticEmbed } = client;
    client.batchSemanticEmbed = async (body, options) => {
      const at = body.prompts.findIndex((text) => String(text).length > 100);
      if (at < 0) return batchSemanticEmbed(body, options);
      const message = `prompts[${at}]: expected at most 100 tokens, got ${String(body.prompts[at]).length}`;
      return { ok: false, problem: { status: 400, code: 'PROMPT_TOO_LONG', message } };
    };
    await stores.collection.getState().collect(textTableOf(['short', 'long '.repeat(100)]));
    expect(stores.collection.getState().collected).toMatchObject({ count: 2, cut: 1 });
    expect(client.batches[0]?.[1]?.length).toBeLessThanOrEqual(100);
  });

  it('cuts such a text between characters', async () => {
    const { client, stores } = setUp();
    const { batchSemanticEmbed } = client;
    client.batchSemanticEmbed = async (body, options) => {
      const { length } = String(body.prompts[0]);
      if (length <= 100) return batchSemanticEmbed(body, options);
      const message = `prompts[0]: expected at most 100 tokens, got ${length}`;
      return { ok: false, problem: { status: 400, code: 'PROMPT_TOO_LONG', message } };
    };
    for (const start of ['', 'x']) {
      await stores.collection.getState().collect(textTableOf([start + '🙂'.repeat(100)]));
      expect(client.batches.at(-1)?.[0]).toMatch(/^x?(?:🙂)+$/u);
    }
  });

  it('tells how long the rest will take once it has measured', async () => {
    const { stores } = setUp();
    expect(stores.speed.estimate(['a'])).toBeNull();
    stores.speed.take(['x'.repeat(60)], 200);
    expect(stores.speed.estimate(['x'.repeat(60), 'x'.repeat(10)])).toBeCloseTo(300, 6);
    expect(
      createMeaningStores(
        { client: createLetterClient(), memory: createFakeMemory() },
        createNearAnalysis(),
      ).speed.current(),
    ).toBeNull();
  });
});

describe('the search', () => {
  it('follows the collection as it grows, and is cleared with its query', async () => {
    const { stores } = setUp();
    await stores.search.getState().search('refund');
    expect(stores.search.getState().found).toBeNull();
    await stores.collection.getState().collect(EXAMPLE_TABLE);
    await expect.poll(() => stores.search.getState().found?.searched).toBe(60);
    const [best] = stores.search.getState().found?.hits ?? [];
    expect(EXAMPLE_TABLE.texts[best?.index ?? -1]).toContain('refund');
    expect(best?.terms).toEqual(['refund']);
    await stores.search.getState().search(' ');
    expect(stores.search.getState().found).toBeNull();
  });

  it('finds nothing of other texts while those that come back are added again', async () => {
    const { stores } = setUp();
    const { collect, undo } = stores.collection.getState();
    await collect(EXAMPLE_TABLE);
    await stores.search.getState().search('refund');
    const reading = collect(textTableOf(['refund', 'parcel']));
    const searched = vi.spyOn(stores.analysis, 'run');
    await Promise.all([undo(), reading]);
    await expect.poll(() => stores.search.getState().found?.searched).toBe(60);
    const tasks = searched.mock.calls.map(([task]) => task);
    expect(tasks.indexOf('search')).toBeGreaterThan(tasks.lastIndexOf('add'));
  });

  it('shows no problem once its query is gone', async () => {
    const { client, stores } = setUp();
    await stores.collection.getState().collect(EXAMPLE_TABLE);
    client.semanticEmbed = () => Promise.resolve({ ok: false, problem });
    await stores.search.getState().search('refund');
    expect(stores.search.getState().problem).toEqual(problem);
    await stores.search.getState().search('');
    expect(stores.search.getState().problem).toBeNull();
  });
});

describe('the map', () => {
  it('draws places and groups, and is cleared by other texts', async () => {
    const { stores } = setUp();
    await stores.collection.getState().collect(EXAMPLE_TABLE);
    await stores.map.getState().draw();
    expect(stores.map.getState()).toMatchObject({ progress: null, problem: null, drawn: { method: 'umap' } });
    expect(stores.map.getState().groups?.labels).toHaveLength(60);
    stores.selection.getState().choose([3, 1, 3]);
    expect(stores.selection.getState().chosen).toEqual([1, 3]);
    stores.selection.getState().choose([]);
    stores.selection.getState().undo();
    expect(stores.selection.getState()).toMatchObject({ chosen: [1, 3], replaced: null });
    await stores.collection.getState().collect(textTableOf(['a', 'b']));
    expect(stores.map.getState()).toMatchObject({ drawn: null, groups: null });
    expect(stores.selection.getState().chosen).toEqual([]);
    await stores.map.getState().draw();
    expect(stores.map.getState().drawn?.points).toHaveLength(4);
  });
});

describe('a map that is changed while it is drawn', () => {
  /** The stores of a page, and the map that an undisturbed one draws. */
  async function drawnOf(change: (map: ReturnType<typeof setUp>['stores']['map']) => Promise<unknown>) {
    const { stores } = setUp();
    await stores.collection.getState().collect(EXAMPLE_TABLE);
    await change(stores.map);
    return stores.map.getState();
  }

  it('is drawn to its end when another number of groups is chosen', async () => {
    const whole = await drawnOf((map) => map.getState().draw());
    const changed = await drawnOf(async (map) => {
      const drawing = map.getState().draw();
      await vi.waitUntil(() => map.getState().drawn?.method === 'umap');
      await Promise.all([drawing, map.getState().group(5)]);
    });
    expect(changed.groups?.clusters).toHaveLength(5);
    expect(changed.drawn).toEqual(whole.drawn);
  });

  it('has groups when another method is chosen before there are any', async () => {
    const changed = await drawnOf((map) => Promise.all([map.getState().draw(), map.getState().by('pca')]));
    expect(changed).toMatchObject({ progress: null, drawn: { method: 'pca' } });
    expect(changed.groups?.labels).toHaveLength(60);
  });

  it('stays as it is when a method is chosen and taken back', async () => {
    const { drawn } = await drawnOf(async (map) => {
      await map.getState().draw();
      await Promise.all([map.getState().by('pca'), map.getState().by('umap')]);
    });
    expect(drawn?.method).toBe('umap');
  });
});

describe('work that is stopped', () => {
  it('leaves the map as it is, whatever its worker still reports', async () => {
    const { stores } = setUp();
    await stores.collection.getState().collect(EXAMPLE_TABLE);
    let report = () => {};
    vi.spyOn(stores.analysis, 'run').mockImplementation((_task, _input, options) => {
      const news = { done: 1, total: 2, part: new Float32Array(120) };
      report = () => (options?.onProgress as ((progress: typeof news) => void) | undefined)?.(news);
      return new Promise(() => {}); // until it is cancelled
    });
    void stores.map.getState().draw();
    stores.map.getState().cancel();
    report();
    expect(stores.map.getState()).toMatchObject({ progress: null, drawn: null });
  });

  it('shows the similarity of the groups that stay', async () => {
    const { stores } = setUp();
    await stores.collection.getState().collect(EXAMPLE_TABLE);
    const { find, cancel } = stores.duplicates.getState();
    await find(0.95);
    const { groups } = stores.duplicates.getState();
    const finding = find(0.7);
    expect(stores.duplicates.getState().least).toBe(0.7);
    cancel();
    await finding;
    expect(stores.duplicates.getState()).toMatchObject({ isRunning: false, least: 0.95, groups });
  });
});

describe('work on texts that are replaced', () => {
  it('changes nothing of what is shown of the others', async () => {
    const { stores } = setUp();
    const { collection, duplicates, matrix, sort } = stores;
    await collection.getState().collect(EXAMPLE_TABLE);
    sort.getState().takeColumn('topic');
    const work = [duplicates.getState().find(0.9), matrix.getState().compare([0, 1]), sort.getState().sort()];
    await collection.getState().collect(textTableOf(['quite', 'different']));
    await Promise.all(work);
    expect(duplicates.getState()).toMatchObject({ isRunning: false, groups: null });
    expect(matrix.getState()).toMatchObject({ isRunning: false, cosines: null });
    expect(sort.getState()).toMatchObject({ isRunning: false, sorted: null });
  });
});

describe('what was opened', () => {
  it('comes back after it was closed, until something else is opened', () => {
    const { stores } = setUp();
    const { openFiles, openRows, close, reopen } = stores.input.getState();
    openFiles([{ name: 'a.txt', text: 'one\ntwo' }], 'line');
    close();
    expect(stores.input.getState().table().texts).toEqual([]);
    reopen();
    expect(stores.input.getState().table().texts).toEqual(['one', 'two']);
    close();
    openRows('b.csv', { names: ['note'], rows: [['three']] });
    expect(stores.input.getState().closed).toBeNull();
  });
});

describe('sorting', () => {
  it('takes categories from a column, measures, and undoes', async () => {
    const { stores } = setUp();
    await stores.collection.getState().collect(EXAMPLE_TABLE);
    const { takeColumn, sort, undo, assign } = stores.sort.getState();
    takeColumn('topic');
    expect(stores.sort.getState().categories).toHaveLength(6);
    await sort();
    expect(stores.sort.getState().sorted?.measured).toMatchObject({ examples: 60, folds: 60 });
    assign(0, null);
    expect(stores.sort.getState().examples.size).toBe(59);
    undo();
    expect(stores.sort.getState().examples.size).toBe(60);
  });

  it('has categories and examples again when its texts come back', async () => {
    const { stores } = setUp();
    const { collect, undo } = stores.collection.getState();
    await collect(EXAMPLE_TABLE);
    stores.sort.getState().takeColumn('topic');
    await collect(textTableOf(['a', 'b']));
    expect(stores.sort.getState()).toMatchObject({ categories: [], before: null });
    await undo();
    expect(stores.sort.getState().categories).toHaveLength(6);
    expect(stores.sort.getState().examples.size).toBe(60);
  });
});
