import { describe, expect, it } from 'vitest';
import { createAnalysisClient } from '../../../../src/pages/meaning/analysis-client.ts';
import type { WorkerPort } from '../../../../src/scheduler/spawn.ts';
import { createNearAnalysis } from '../../../support/meaning/near-analysis.ts';

/** Workers that keep what they are sent. */
function createSilentPorts() {
  const ports: (WorkerPort & { readonly sent: unknown[] })[] = [];
  const open = () => {
    const sent: unknown[] = [];
    const postMessage = (message: unknown) => void sent.push(message);
    const port = { sent, onmessage: null, onlost: null, postMessage, terminate: () => undefined };
    ports.push(port);
    return port;
  };
  const say = (data: object) => ports.at(-1)?.onmessage?.(new MessageEvent('message', { data }));
  return { ports, open, say };
}
const ADD = { isNew: true, texts: ['a', 'b'], vectors: Float32Array.of(1, 0, 0, 1) };

describe('createAnalysis', () => {
  it('starts no worker before its first task, and matches answers by id', async () => {
    const { ports, open, say } = createSilentPorts();
    const analysis = createAnalysisClient(open);
    expect(ports).toHaveLength(0);
    const [first, second] = [analysis.run('add', ADD), analysis.run('add', ADD)];
    say({ type: 'done', id: 2, kind: 'add', output: { count: 4 } });
    say({ type: 'done', id: 1, kind: 'add', output: { count: 2 } });
    expect(await Promise.all([first, second])).toEqual([{ count: 2 }, { count: 4 }]);
    expect(ports).toHaveLength(1);
  });

  it('rejects with AbortError and tells the worker, whatever it answers then', async () => {
    const { ports, open, say } = createSilentPorts();
    const controller = new AbortController();
    const task = createAnalysisClient(open).run('add', ADD, { signal: controller.signal });
    controller.abort();
    await expect(task).rejects.toMatchObject({ name: 'AbortError' });
    expect(ports[0]?.sent).toMatchObject([{ type: 'run' }, { type: 'cancel' }]);
    say({ type: 'done', id: 1, kind: 'add', output: { count: 2 } });
  });

  it('rejects all tasks when the worker dies, and starts another one', async () => {
    const { ports, open } = createSilentPorts();
    const analysis = createAnalysisClient(open);
    const tasks = [analysis.run('add', ADD), analysis.run('add', ADD)];
    ports[0]?.onlost?.('out of memory');
    for (const result of await Promise.allSettled(tasks))
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'out of memory' } });
    analysis.remember(() => ({ texts: ['a'], vectors: Float32Array.of(1, 0) }));
    const next = analysis.run('duplicates', { least: 1 });
    expect(ports).toHaveLength(2);
    expect(ports[1]?.sent, 'the texts first').toMatchObject([
      { kind: 'add', input: { isNew: true, texts: ['a'] } },
      { kind: 'duplicates' },
    ]);
    analysis.end();
    await expect(next).rejects.toThrow('the analysis was ended');
  });

  it('passes on what the worker refuses', async () => {
    const analysis = createNearAnalysis();
    await expect(analysis.run('add', { ...ADD, vectors: Float32Array.of(1) })).rejects.toThrow('expected 2 vectors');
  });
});

describe('the analysis worker', () => {
  it('answers every task over one collection', async () => {
    const analysis = createNearAnalysis();
    const texts = ['red car', 'blue car', 'red rose', 'white rose', 'green tree', 'old tree'];
    const vectors = Float32Array.from(texts.flatMap((_, index) => [Math.cos(index), Math.sin(index)]));
    expect(await analysis.run('add', { isNew: true, texts, vectors })).toEqual({ count: 6 });
    const { hits } = await analysis.run('search', { query: 'car', vector: null, share: 1, most: 9 });
    expect(hits.map(({ index }) => index)).toEqual([0, 1]);
    const { neighbours } = await analysis.run('neighbours', { index: 0, most: 2 });
    expect(neighbours.map(({ index }) => index)).toEqual([1, 5]);
    expect((await analysis.run('similarities', { indices: [0, 3] })).cosines[0]).toBeCloseTo(1, 6);
    expect((await analysis.run('duplicates', { least: 0.99 })).groups).toEqual([]);
    const { points } = await analysis.run('project', { method: 'pca' });
    expect(points).toHaveLength(12);
    expect(Math.max(...points.map(Math.abs))).toBeCloseTo(1, 6);
    expect((await analysis.run('cluster', { count: 2 })).clusters).toHaveLength(2);
  });

  it('tells how a map comes along, and stops when it is cancelled', async () => {
    const analysis = createNearAnalysis();
    const vectors = Float32Array.from({ length: 80 }, (_, at) => Math.sin(at * at + 1));
    await analysis.run('add', { isNew: true, texts: Array.from({ length: 20 }, String), vectors });
    const shares: number[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }) => shares.push(done / total);
    await analysis.run('project', { method: 'umap' }, { onProgress });
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const controller = new AbortController();
    const task = analysis.run('project', { method: 'umap' }, { signal: controller.signal });
    controller.abort();
    await expect(task).rejects.toMatchObject({ name: 'AbortError' });
    expect((await analysis.run('neighbours', { index: 0, most: 1 })).neighbours).toHaveLength(1);
  });
});
