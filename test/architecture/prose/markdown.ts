import { lexer, walkTokens, type Token, type Tokens } from 'marked';

/** What the rules about prose look at in a Markdown file. */
export interface Markdown {
  /** Targets of links and images, Markdown's and HTML's, as written. */
  readonly links: readonly string[];
  /** Anchors of the headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
  /** Text of all table cells, as written. */
  readonly cells: readonly string[];
  readonly blocks: readonly CodeBlock[];
  /** Lines without code blocks: those are replaced by empty lines, so that line numbers stay. */
  readonly proseLines: readonly string[];
}

/** A fenced block of code. */
export interface CodeBlock {
  /** Such as `sh`; empty for none. */
  readonly language: string;
  readonly code: string;
}

/** Takes a Markdown file apart. Front matter is prose. */
export function readMarkdown(text: string): Markdown {
  const tokens: Token[] = [];
  walkTokens(lexer(text), (token) => void tokens.push(token));
  const of = <Type extends Token>(type: Type['type']) => tokens.filter((token): token is Type => token.type === type);
  const html = of<Tokens.HTML>('html').flatMap(({ text: tag }) =>
    [...tag.matchAll(/\b(?:src|srcset|href)="([^"]*)"/g)].map(([, target = '']) => target),
  );
  return {
    links: [of<Tokens.Link>('link'), of<Tokens.Image>('image')]
      .flat()
      .map(({ href }) => href)
      .concat(html),
    anchors: anchorsOf(of<Tokens.Heading>('heading').map(({ text: heading }) => heading)),
    cells: of<Tokens.Table>('table').flatMap(({ header, rows }) => [header, ...rows].flat().map((cell) => cell.text)),
    blocks: of<Tokens.Code>('code').map(({ lang = '', text: code }) => ({ language: lang, code })),
    proseLines: text.replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, '')).split('\n'),
  };
}

/** A second heading of the same text gets `-1`, a third `-2`. */
function anchorsOf(headings: readonly string[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of headings) {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = base;
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${base}-${repeat}`;
    anchors.add(anchor);
  }
  return anchors;
}
