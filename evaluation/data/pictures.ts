import { sampleOf } from '../measures/sample.ts';
import type { Context } from '../evaluation.ts';
import { loadScenes, type CaptionWords, type Scene } from './scene-set.ts';
import { valueOf } from '../value-of.ts';

/** Name of the baseline that always gives the most frequent answer of the very set that is measured. */
export const MOST_FREQUENT = 'most frequent answer';

/** The committed scenes, or a sample of them. */
export async function sampledScenes({ sample }: Context): Promise<{ words: CaptionWords; scenes: readonly Scene[] }> {
  const { words, scenes } = await loadScenes();
  return { words, scenes: sampleOf(scenes, sample) };
}

/** What `/qa` answers to a question on each picture. */
export async function answersFrom(
  { client, progress }: Context,
  scenes: readonly Scene[],
  query: (scene: Scene) => string,
): Promise<string[]> {
  const said: string[] = [];
  for (const scene of scenes) {
    const documents = [{ prompt: [{ type: 'image' as const, data: scene.picture }] }];
    const { answers } = await valueOf(client.qa({ query: query(scene), documents }));
    const [answer] = answers;
    if (!answer) throw new RangeError('expected an answer from the picture, got none');
    said.push(answer.answer);
    progress('pictures', said.length, scenes.length);
  }
  return said;
}
