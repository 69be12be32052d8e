/** Characters of a value that a message repeats. */
const MAX_SHOWN = 60;

/** A value as JSON, shortened; what JSON cannot hold is named. It comes from outside: it may be megabytes, or nested deeply. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return shortText(jsonStart(value, MAX_SHOWN), MAX_SHOWN);
}

/** Names that a message repeats: a server may have a thousand models. */
const MAX_NAMES = 20;

/** Names as JSON, one after another; of a longer list the first ones and how many more there are. */
export function shownNames(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMES).map(shown).join(', ');
  return names.length > MAX_NAMES ? `${first} and ${names.length - MAX_NAMES} more` : first;
}

/** A text, or its beginning and an ellipsis. */
export function shortText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** The JSON of a value, or its first `room` characters and more: it may be megabytes, or too deep for recursion. */
function jsonStart(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room));
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [key, entry] of Object.entries(value)) {
    if (text.length > 1) text += ',';
    if (!isList) text += `${jsonStart(key, room)}:`;
    if (text.length > room) return text;
    text += jsonStart(entry, room - text.length);
  }
  return `${text}${isList ? ']' : '}'}`;
}
