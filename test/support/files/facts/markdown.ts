import { shuffled } from '../../../../workers/kernels/seeded-random.ts';
import { inSelectors, inTags } from './invisible.ts';
import { type FileWithFacts, placed, type Places, plainWriting, type Writing } from './writing.ts';

/** Places of a Markdown file. */
const PLACES: Places = {
  paragraph: { write: (fact) => fact },
  emphasis: { write: (fact) => `**_${fact}_**` },
  heading: { write: (fact) => `## ${fact} ##` },
  'underlined heading': { write: (fact) => `${fact}\n---` },
  'list entry': { write: (fact) => `- ${fact}` },
  'entry of a list in a list': { write: (fact) => `1. Duties\n   - Rent\n     1) ${fact}` },
  'paragraph of an entry': { write: (fact) => `- Duties\n\n  ${fact}\n` },
  'check box': { write: (fact) => `- [x] ${fact}` },
  quote: { write: (fact) => `> ${fact}` },
  'quote in a quote': { write: (fact) => `> said\n>\n> > ${fact}` },
  alert: { write: (fact) => `> [!NOTE]\n> ${fact}` },
  table: { write: (fact) => `| Clause | Text |\n| --- | --- |\n| 1 | ${fact} |` },
  'cell beyond the header': { write: (fact) => `Clause | Text\n-- | --\n1 | Rent | ${fact}` },
  code: { write: (fact) => `\`\`\`\n${fact}\n\`\`\`` },
  'code between tildes': { write: (fact) => `~~~ sh\n${fact}\n~~~` },
  'indented code': { write: (fact) => `    ${fact}` },
  'code in a line': { write: (fact) => `See \`${fact}\`.` },
  equation: { write: (fact) => `$$\n\\text{${fact}}\n$$` },
  'characters by number': {
    write: (fact) => fact.replaceAll(/[aeo]/g, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`),
  },
  'escaped characters': { write: (fact) => fact.replaceAll('.', String.raw`\.`) },
  'lines of a paragraph': { write: (fact) => `The board says:\n${fact}  \nand more.` },
  link: { write: (fact) => `[${fact}](https://example.org/a_b "")` },
  'link by reference': { write: (fact) => `[${fact}][a]\n\n[a]: <https://example.org>` },
  'picture description': { write: (fact) => `![${fact}](x.png)` },
  'picture in a link': { write: (fact) => `[![${fact}](x.png)](https://example.org)` },
  'definition of a term': { write: (fact) => `Term\n: ${fact}` },
  footnote: { write: (fact) => `Text.[^1]\n\n[^1]: ${fact}` },
  'paragraph of a footnote': { write: (fact) => `Text.[^2]\n\n[^2]: First.\n\n    ${fact}` },
  'footnote in a line': { write: (fact) => `Text.^[${fact}]` },
  'between rules': { write: (fact) => `---\n\n${fact}\n\n---` },
  'HTML paragraph': { write: (fact) => `<p align="center">\n${fact}\n</p>` },
  'HTML details': { write: (fact) => `<details>\n<summary>More</summary>\n${fact}\n</details>` },
  'HTML summary': { write: (fact) => `<details><summary>${fact}</summary>\n\nMore.\n\n</details>` },
  'HTML table': { write: (fact) => `<table>\n<tr><td>1</td><td>${fact}</td></tr>\n</table>` },
  'HTML table in a table': {
    write: (fact) => `<table>\n<tr><td>1</td><td><table><tr><td>${fact}</td></tr></table></td></tr>\n</table>`,
  },
  'HTML list': { write: (fact) => `<ul>\n<li>${fact}\n</ul>` },
  'HTML terms': { write: (fact) => `<dl><dt>Term</dt><dd>${fact}</dd></dl>` },
  'HTML figure': { write: (fact) => `<figure><img src="x.png"><figcaption>${fact}</figcaption></figure>` },
  'HTML picture': { write: (fact) => `<img src="x.png" alt="${fact}">` },
  'HTML field': { write: (fact) => `<p>Note: <input value="${fact}"></p>` },
  'HTML field of several lines': { write: (fact) => `<p>Note: <textarea>${fact}</textarea></p>` },
  'HTML in a line': { write: (fact) => `See <mark>${fact}</mark>.` },
  'HTML link': { write: (fact) => `<a href="https://example.org">${fact}</a>` },
  'HTML drawing': { write: (fact) => `<svg><text x="1">${fact}</text></svg>` },
  'struck text': { write: (fact) => `~~${fact}~~` },
  'title of a link': { write: (fact) => `[lease](x.md "${fact}")`, expected: 'metadata' },
  'title of a picture': { write: (fact) => `![plan](x.png '${fact}')`, expected: 'metadata' },
  'title of a reference': { write: (fact) => `[lease][b]\n\n[b]: x.md (${fact})`, expected: 'metadata' },
  'title in HTML': { write: (fact) => `The <abbr title="${fact}">BGB</abbr>.`, expected: 'metadata' },
  'title of an HTML block': { write: (fact) => `<p title="${fact}">Text.</p>`, expected: 'metadata' },
  'HTML comment': { write: (fact) => `<!-- ${fact} -->`, expected: 'comment' },
  'comment as a reference': { write: (fact) => `[//]: # (${fact})`, expected: 'comment' },
  'invisible characters': { write: (fact) => `Clause${inTags(fact)}`, expected: 'hidden_text' },
  'invisible selectors': { write: (fact) => `☺${inSelectors(fact)}`, expected: 'hidden_text' },
  'invisible characters by number': {
    write: (fact) => Array.from(inTags(fact), (tag) => `&#x${tag.codePointAt(0)?.toString(16)};`).join(''),
    expected: 'hidden_text',
  },
  'hidden HTML': { write: (fact) => `<div hidden>\n\n${fact}\n\n</div>`, expected: 'hidden_text' },
  'white HTML': { write: (fact) => `<span style="color:#fff">${fact}</span>`, expected: 'hidden_text' },
};

/** Values at the beginning of a file that site generators read. */
const METADATA = [
  (fact: string) => `---\ntitle: ${fact}\ntags:\n  - lease\n---`,
  (fact: string) => `+++\ntitle = "${fact}"\ndraft = false\n+++`,
  (fact: string) => JSON.stringify({ title: fact, tags: ['lease'] }, null, 2),
];

/** A Markdown file with a fact in each place, and one in its metadata. */
export function markdownFileWithFacts(seed: number, writing: Writing = plainWriting(seed)): FileWithFacts {
  const metadata = { place: 'metadata', fact: writing.fact(), expected: 'metadata' as const };
  const parts = placed(shuffled(Object.entries(PLACES), seed), writing);
  const body = parts.map(({ written }) => `${written}\n\n${writing.filler()}`).join('\n\n');
  const head = METADATA[seed % METADATA.length]?.(metadata.fact) ?? '';
  return {
    file: new File([`${head}\n\n# ${writing.title}\n\n${body}\n`], `notes-${seed}.md`),
    facts: [metadata, ...parts.map(({ place, fact, expected }) => ({ place, fact, expected }))],
  };
}
