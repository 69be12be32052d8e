/** What a recipe does, in its order. */
export interface Recipe {
  readonly steps: readonly Step[];
}

/** A code block of a recipe. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  /** Lines that are there (kept or removed), and what stands in their place. */
  | { readonly kind: 'edit'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'commands'; readonly text: string };

const BLOCK = /^( *)```(\w+)(?: (\S+))?\n([^]*?)^\1```$/gm;

/**
 * Reads the code blocks of a recipe: `ts <path>` is a new file, `diff <path>` an edit, `sh` a script.
 *
 * @throws {Error} for a block of code that says no path
 */
export function readRecipe(markdown: string): Recipe {
  const blocks = [...markdown.matchAll(BLOCK)];
  return {
    steps: blocks.map(([, indent = '', language = '', path, body = '']) => {
      const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      if (language === 'sh') return { kind: 'commands', text };
      if (path === undefined) throw new Error(`expected a path behind \`\`\`${language}, got none: ${text}`);
      return language === 'diff' ? editOf(path, text) : { kind: 'file', path, text };
    }),
  };
}

function editOf(path: string, text: string): Step {
  const lines = text.replace(/\n$/, '').split('\n');
  const without = (sign: '+' | '-') =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return { kind: 'edit', path, before: without('+'), after: without('-') };
}
