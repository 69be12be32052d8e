import { COLOURS } from '../colours.ts';
import { FAMILIES } from '../drawing/figure.ts';

/** A saved page runs no script but its own and sends no request, whatever it contains. */
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

/**
 * A page in one file, without reference.
 *
 * @param page  `lang` as BCP 47; `body`: HTML with escaped texts; `script`: a module without `</script`, and its SHA-256 in base64;
 *   default: no script runs
 */
export function htmlPage(page: {
  readonly title: string;
  readonly lang: string;
  readonly body: readonly string[];
  readonly script?: { readonly module: string; readonly hash: string } | null;
}): string {
  const { title, lang, body, script } = page;
  const policy = script ? `${POLICY}; script-src 'sha256-${script.hash}'` : POLICY;
  return [
    `<!doctype html>\n<html lang="${escaped(lang)}">\n<head>\n<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>`,
    ...body,
    ...(script ? [`<script type="module">${script.module}</script>`] : []),
    '</body>\n</html>\n',
  ].join('\n');
}

/** Characters that XML forbids: most control characters, halves of surrogate pairs, and two others. */
const FORBIDDEN = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for the content and the attributes of XML and HTML; what XML forbids becomes U+FFFD. */
export function escaped(text: string): string {
  return text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
