import { COLOURS } from '../figure/palette.ts';
import { FAMILIES } from '../figure/typesetter.ts';
import { escaped } from './escape.ts';

/** Opened anywhere, a saved page runs nothing and asks the network for nothing, whatever stands in it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The look of a saved page. */
const STYLE = `
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; background: ${COLOURS.ground}; color: ${COLOURS.ink}; font: 16px/1.5 ${FAMILIES.sans}; }
h1 { font: 600 1.7rem/1.25 ${FAMILIES.serif}; }
h2 { margin-top: 2.2rem; font: 600 1.2rem/1.3 ${FAMILIES.serif}; }
pre { padding: 0.8rem; background: #f3efe6; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
svg { display: block; max-width: 100%; height: auto; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { padding: 0.2rem 0.7rem 0.2rem 0; border-bottom: 1px solid ${COLOURS.line}; text-align: start; vertical-align: top; white-space: pre-wrap; font-variant-numeric: tabular-nums; }
`;

/** What a saved page holds. */
export interface HtmlPage {
  readonly title: string;
  /** BCP 47. */
  readonly lang: string;
  /** HTML, its texts escaped. */
  readonly body: readonly string[];
}

/** A page in one file: no script, no reference. */
export function htmlPage({ title, lang, body }: HtmlPage): string {
  return [
    `<!doctype html>\n<html lang="${escaped(lang)}">\n<head>\n<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>`,
    ...body,
    '</body>\n</html>\n',
  ].join('\n');
}
