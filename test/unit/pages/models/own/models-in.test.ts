import { describe, expect, it } from 'vitest';
import { modelsIn } from '../../../../../src/pages/models/own/folders-store.ts';

const tree = (...paths: readonly string[]) => new Map(paths.map((path) => [path, new Blob([path])]));
const found = (...paths: readonly string[]) =>
  modelsIn(tree(...paths)).map(({ name, held }) => [name, Object.keys(held).toSorted()]);

describe('modelsIn', () => {
  it('finds each outermost folder with a configuration; folders inside are its own', () =>
    expect(
      found('hub/a/config.json', 'hub/a/1_Pooling/config.json', 'hub/a/onnx/model.onnx', 'hub/b/config.json'),
    ).toEqual([
      ['hub/a', ['1_Pooling/config.json', 'config.json', 'onnx/model.onnx']],
      ['hub/b', ['config.json']],
    ]));

  it('takes files without a folder for one, and graphs beside the configuration for those of onnx', () =>
    expect(found('config.json', 'model.onnx', 'model.onnx_data')).toEqual([
      ['model', ['config.json', 'onnx/model.onnx', 'onnx/model.onnx_data']],
    ]));

  it('finds the graph beside the configuration, whatever else is in onnx; one in onnx stays the one', () => {
    expect(found('config.json', 'model.onnx', 'onnx/README.md', 'onnx/quantize_config.json')).toEqual([
      ['model', ['config.json', 'onnx/README.md', 'onnx/model.onnx', 'onnx/quantize_config.json']],
    ]);
    expect(found('config.json', 'model.onnx', 'onnx/model.onnx')).toEqual([
      ['model', ['config.json', 'model.onnx', 'onnx/model.onnx']],
    ]);
  });

  it('reads nothing else: no hidden files, no pictures, no code', () =>
    expect(found('a/config.json', 'a/.git/config.json', 'a/photo.png', 'a/run.py')).toEqual([['a', ['config.json']]]));

  it('finds nothing where no configuration is', () => expect(found('a/model.onnx')).toEqual([]));
});
