/** One entry of the front matter, such as `license` with its one value. */
interface CardFact {
  readonly name: string;
  readonly values: readonly string[];
}

const FENCE = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/**
 * Parts a card into its front matter and its text. Read are the forms that cards of the hub have: `name: value`,
 * `name: [value, value]` and lists of lines `- value` below a name; nested entries are passed over.
 *
 * @param file  a README.md; one without front matter is all text
 * @source      the hub's "Model Cards": YAML between two lines `---` at the very beginning
 */
export function splitCard(file: string): { readonly facts: readonly CardFact[]; readonly text: string } {
  const match = file.startsWith('---') ? FENCE.exec(file) : null;
  if (!match) return { facts: [], text: file };
  return { facts: factsIn(match[1] ?? ''), text: file.slice(match[0].length).trimStart() };
}

function factsIn(yaml: string): CardFact[] {
  const facts: { name: string; values: string[] }[] = [];
  for (const line of yaml.split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name) facts.push({ name, values: valuesOf(value ?? '') });
    else {
      const [, entry] = /^\s*- (.+)$/.exec(line) ?? [];
      if (entry) facts.at(-1)?.values.push(unquoted(entry));
    }
  }
  return facts.filter(({ values }) => values.length > 0);
}

function valuesOf(text: string): string[] {
  const list = /^\[(.*)\]$/.exec(text.trim())?.[1];
  const values = list === undefined ? [text] : list.split(',');
  return values.map(unquoted).filter((value) => value !== '');
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}
