/** Tokens of a picture; contract: tokens per image. */
const PICTURE_TOKENS = 144;

const counted = (count: number, thing: string) => `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;

/** Length of a text, and of the picture before it, as a hint beside its editor; tokens are an estimate until the model has read them. */
export function lengthText(text: string, hasPicture = false): string {
  const characters = [...text].length;
  if (characters === 0) return hasPicture ? `a picture, ${counted(PICTURE_TOKENS, 'token')}` : 'empty';
  const tokens = Math.max(1, Math.round(characters / 4)) + (hasPicture ? PICTURE_TOKENS : 0);
  return `${hasPicture ? 'a picture and ' : ''}${counted(characters, 'character')}, about ${counted(tokens, 'token')}`;
}

/** Whether prompt and target would run into one another, as in `Answer:` and `Warsaw`. */
export function needsSpace(prompt: string, target: string): boolean {
  return prompt !== '' && target !== '' && !/\s$/.test(prompt) && /^[\p{L}\p{N}]/u.test(target);
}
