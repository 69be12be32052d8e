/** Length of a text as a hint beside its editor; tokens are an estimate until the model has read them. */
export function lengthText(text: string): string {
  const characters = [...text].length;
  const tokens = Math.max(1, Math.round(characters / 4));
  if (characters === 0) return 'empty';
  return `${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'}, about ${tokens.toLocaleString('en')} ${tokens === 1 ? 'token' : 'tokens'}`;
}

/** Whether prompt and target would run into one another, as in `Answer:` and `Warsaw`. */
export function needsSpace(prompt: string, target: string): boolean {
  return prompt !== '' && target !== '' && !/\s$/.test(prompt) && /^[\p{L}\p{N}]/u.test(target);
}
