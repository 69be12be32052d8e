import { storyFiles } from '../../test/support/hub/story-files.ts';
import { createTokenizer, type Tokenizer } from '../../workers/engine/loading/tokenizer.ts';
import type { Context, DataFile } from '../evaluation.ts';
import { openFolder, type OpenedFolder } from '../service.ts';

/** As requests name it. */
export const STORY_TELLER = 'stories260K';

/** SHA-256 of its weights. */
export const STORY_WEIGHTS = 'b0a507e7ad0f626624f17112325e66691f9076d622e1d3274d103d00299f2696';

/** Its weights and its pieces, trained by others. @source github.com/karpathy/llama2.c; the data folder's README */
export const STORY_TELLER_FILES = [
  { from: 'data', path: 'weights/stories260K/stories260K.bin' },
  { from: 'data', path: 'weights/stories260K/tok512.bin' },
] as const satisfies readonly DataFile[];

/** Adds it to a service of its own, as a folder that somebody dropped. */
export async function openStoryTeller({ bytes }: Context): Promise<OpenedFolder & { readonly tokenizer: Tokenizer }> {
  const [weights, pieces] = await Promise.all(
    STORY_TELLER_FILES.map(async (file) => new Uint8Array(await bytes(file))),
  );
  if (!weights || !pieces) throw new RangeError(`expected the files of ${STORY_TELLER}`);
  const files = storyFiles({ weights, pieces });
  const json = (path: string) => JSON.parse(new TextDecoder().decode(files.get(path)));
  const tokenizer = createTokenizer(json('tokenizer.json'), json('tokenizer_config.json'));
  return { ...(await openFolder(STORY_TELLER, files)), tokenizer };
}
