import { readFileSync } from 'node:fs';

/**
 * Runs the example of docs/api.md that imports a module of the package. Its imports are given, and `MODEL` is lightwell-base.
 *
 * @param names  what its imports and its other variables are
 * @param result  an expression of its variables
 */
export async function runExample(module: string, names: Readonly<Record<string, unknown>>, result: string) {
  const document = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const examples = Array.from(document.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code);
  const example = examples.find((code) => code.includes(`from '${module}'`)) ?? '';
  const code = example.replaceAll(/^import .*\n/gm, '').replaceAll('MODEL', 'lightwell-base');
  const { constructor: AsyncFunction } = async function () {} as { constructor: unknown } as {
    constructor: new (...parts: string[]) => (...given: unknown[]) => Promise<unknown>;
  };
  return new AsyncFunction(...Object.keys(names), `${code}\nreturn ${result};`)(...Object.values(names));
}
