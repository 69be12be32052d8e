import { pipeline } from '@huggingface/transformers';
import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { answerWith, nameOf, setUpLibrary } from '../library.ts';
import type { Asked, Embedded } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);
setUpLibrary();

let loaded: ReturnType<typeof load> | undefined;

function load(folder: string) {
  return pipeline('feature-extraction', nameOf(folder), { dtype: 'fp32', device: 'wasm' });
}

answerWith(async ({ folder, texts }: Asked): Promise<Embedded> => {
  const extract = await (loaded ??= load(folder));
  const began = performance.now();
  const output = await extract([...texts], { pooling: 'mean', normalize: true });
  const ms = performance.now() - began;
  const width = output.dims.at(-1) ?? 0;
  const values = Array.from(output.data as ArrayLike<number>);
  return { vectors: texts.map((_, index) => values.slice(index * width, (index + 1) * width)), ms };
});
