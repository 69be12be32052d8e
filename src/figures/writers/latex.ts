import { figuresWords } from '../words.en.ts';
import { numberText } from '../../words/language.ts';
import { largestIn, marginIn, NEUTRAL_NATS, scoreIn } from '../../explanations/influence.ts';
import { markOf } from '../colours.ts';
import { fullColour } from '../scale.ts';
import { type Content, MADE_WITH } from '../drawing/content.ts';
import { graphemesOf } from '../../explanations/segmentation.ts';
import { shownPieces, type ShownPiece } from '../drawing/heat.ts';

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  // Straight quotes: packages for some languages give the character itself another meaning.
  '"': '\\char34{}',
  '`': '\\char96{}',
  // The usual encoding of fonts has no such sign; two commas look the same.
  '„': '{,,}',
  '−': '$-$',
  '×': '$\\times$',
  '≥': '$\\geq$',
  '≈': '$\\approx$',
  '␣': '\\textvisiblespace{}',
  '↵': '$\\hookleftarrow$',
};

/** Two of these in a row would become one longer sign. */
const LIGATURE = /([-',])(?=\1)/g;

/** Text for LaTeX outside of mathematics. Control characters are left out; letters stay as they are, in UTF-8. */
export function latexText(text: string): string {
  return [...text]
    .filter((character) => !/\p{Cc}|\p{Cs}/u.test(character) || /\s/.test(character))
    .map((character) => (/\s/.test(character) ? ' ' : (SPECIAL[character] ?? character)))
    .join('')
    .replaceAll(LIGATURE, '$1{}');
}

/** The heat map as coloured boxes, for a document that loads `xcolor`. Lines can break within a section. */
export function latexOf(content: Content): string {
  const { lead, detail, partial, facts, outcome } = content;
  const largest = largestIn(outcome.influence.prompt, content.view);
  const key = figuresWords().latexKey(numberText(fullColour(largest)), numberText(NEUTRAL_NATS));
  const sentences = facts.map(({ name, text }) => `${name}: ${text.replace(/\.$/, '')}.`);
  const caption = [lead, detail, partial ?? '', key, ...sentences].filter((one) => one !== '').join(' ');
  const pieces = shownPieces(content).map((piece) => pieceLatex(piece, content.view, largest));
  return `${[
    ...notes(content),
    '\\providecommand{\\lightwellbox}[2]{\\colorbox[HTML]{#1}{\\strut #2}}',
    '\\begin{figure}',
    '\\raggedright\\setlength{\\fboxsep}{1pt}\\setlength{\\parindent}{0pt}',
    pieces.join(''),
    `\\caption{${latexText(caption)}}`,
    '\\end{figure}',
  ].join('\n')}\n`;
}

function notes({ outcome: { question } }: Content): string[] {
  const scripts = otherScripts(question.prompt + question.target);
  return [
    `% Drawn with ${MADE_WITH}. Write \\usepackage{xcolor} in front of \\begin{document}.`,
    ...(scripts.length > 0
      ? [
          `% Contains ${scripts.join(', ')}: use XeLaTeX or LuaLaTeX with fontspec and a font that has these characters.`,
        ]
      : []),
    ...(scripts.some((script) => RIGHT_TO_LEFT.has(script))
      ? ['% For text from right to left, load babel with bidi=basic.']
      : []),
    ...(question.picture
      ? ['% The picture of the prompt is not part of this file: save the heat map as PDF for it.']
      : []),
  ];
}

/** Scripts that pdfLaTeX with its usual fonts cannot set, by their Unicode names. */
const SCRIPTS: readonly string[] =
  'Greek Cyrillic Armenian Georgian Arabic Hebrew Ethiopic Devanagari Bengali Tamil Thai Han Hiragana Katakana Hangul'.split(
    ' ',
  );
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['Arabic', 'Hebrew']);

function otherScripts(text: string): string[] {
  const classes = [...SCRIPTS, 'Latin', 'Common', 'Inherited'].map((name) => `\\p{Script=${name}}`);
  const hasScript = (name: string) => new RegExp(`\\p{Script=${name}}`, 'u').test(text);
  return [
    ...SCRIPTS.filter(hasScript),
    ...(/\p{Extended_Pictographic}/u.test(text) ? ['emoji'] : []),
    ...(new RegExp(`[^${classes.join('')}]`, 'u').test(text) ? ['another script'] : []),
  ];
}

function pieceLatex({ text, section }: ShownPiece, view: Content['view'], largest: number): string {
  const score = section && scoreIn(section, view);
  const fill = score === null ? null : markOf(score, largest, section?.isSink).fill;
  return text
    .split(/(\s+)/)
    .map((part) => {
      if (/^\s+$/.test(part)) return spaceLatex(part);
      return fill === null ? latexText(part) : boxed(part, fill);
    })
    .join('')
    .concat(section && marginIn(section, view) !== null ? '\\textsuperscript{$\\approx$}' : '');
}

/** A line end is one here too; LaTeX would join several to one paragraph end. */
function spaceLatex(space: string): string {
  const ends = space.split('\n').length - 1;
  return ends === 0 ? ' ' : `\n\n${'\\bigskip\n\n'.repeat(Math.min(2, ends - 1))}`;
}

/** Characters of a box: a longer word is several boxes, because a box cannot break. */
const LONGEST_BOX = 24;

function boxed(word: string, fill: string): string {
  const characters = graphemesOf(word);
  const parts = Array.from({ length: Math.ceil(characters.length / LONGEST_BOX) }, (_, index) =>
    characters.slice(index * LONGEST_BOX, (index + 1) * LONGEST_BOX).join(''),
  );
  const boxes = parts.map((part) => `\\lightwellbox{${fill.slice(1).toUpperCase()}}{${latexText(part)}}`);
  return boxes.join('\\allowbreak{}');
}
