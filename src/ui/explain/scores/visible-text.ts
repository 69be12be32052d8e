/** A short text with its white space made visible: `␣` for outer spaces, `↵` for line ends. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/^ +| +$/g, (spaces) => '␣'.repeat(spaces.length));
}

/** A section's text as a name: without outer white space, shortened in the middle of nowhere to `limit` characters. */
export function nameOf(text: string, limit = 32): string {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  if (name === '') return visibleText(text);
  const characters = [...name];
  return characters.length <= limit ? name : `${characters.slice(0, limit - 1).join('')}…`;
}
