import { AutoModelForCausalLM, AutoTokenizer, Tensor } from '@huggingface/transformers';
import { trustScriptsIn } from '../../../src/protocol/page/script-urls.ts';
import { answerWith, nameOf, setUpLibrary } from '../library.ts';
import type { Asked, Written } from './asked.ts';

trustScriptsIn(new URL('/', location.href).href);
setUpLibrary();

let loaded: ReturnType<typeof load> | undefined;

async function load({ folder, dtype, hasDataFile = false }: Asked) {
  const name = nameOf(folder);
  const model = await AutoModelForCausalLM.from_pretrained(name, {
    dtype,
    device: 'wasm',
    use_external_data_format: hasDataFile,
  });
  return { model, tokenizer: await AutoTokenizer.from_pretrained(name) };
}

answerWith(write);

async function write(asked: Asked): Promise<Written> {
  const { prompt, tokens } = asked;
  const { model, tokenizer } = await (loaded ??= load(asked));
  const began = performance.now();
  const inputs = tokenizer(prompt);
  const output = await model.generate({ ...inputs, max_new_tokens: tokens, min_new_tokens: tokens, do_sample: false });
  if (!(output instanceof Tensor)) throw new TypeError('expected ids, got no tensor');
  const [, promptTokens = 0] = inputs.input_ids.dims;
  const ids = Array.from(output.data as ArrayLike<number | bigint>, Number).slice(promptTokens);
  const text = tokenizer.decode(ids);
  return { text, tokens: ids.length, promptTokens, ms: performance.now() - began };
}
