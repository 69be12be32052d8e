import type { Client } from '../../client/client.ts';
import { codePointMap } from '../../contract/code-points.ts';
import { isShown } from './answers.ts';

/** A question, and the part of the text that it asks for, UTF-16 units. */
export interface Candidate {
  readonly question: string;
  readonly start: number;
  readonly end: number;
}

/** A form of English sentences; the group `answer` is what the question asks for. */
interface Rule {
  readonly pattern: RegExp;
  /** Null where the words found make no question. */
  readonly question: (groups: Readonly<Record<string, string>>) => string | null;
}

const AMOUNT = String.raw`(?:(?:[€$£¥]|EUR|USD|GBP|CHF) ?\d[\d.,]{0,15}\d|\d[\d.,]{0,15} ?(?:euros?|dollars?|pounds|francs|EUR|USD|GBP|CHF|€|£|percent|%))`;
const MONTH = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const DATE = String.raw`(?:\d{1,2}\.? ${MONTH}(?: \d{4})?|${MONTH} \d{1,2}(?:, \d{4})?|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4})`;
const THE = String.raw`\b(?:[Tt]he|[Tt]his|[Aa]n?)`;
/** One or two words in lower case. Every repetition has a bound, so that no text takes long to search. */
const SUBJECT = '(?<subject>[a-z]{1,30}(?:[ -][a-z]{1,30})?)';
/** The same of which a verb in the singular says something. */
const ONE = String.raw`${SUBJECT}(?<!\ws)`;

const RULES: readonly Rule[] = [
  // Deposit: 950 euros
  {
    pattern: /^[-*• ]{0,5}(?<label>[A-Z][\w&/-]{0,30}(?: [\w&/-]{1,30}){0,2}):[ \t]{1,9}(?<answer>\S[^\n]{0,80})$/gm,
    question: ({ label = '', answer = '' }) => labelQuestion(label, answer),
  },
  // The rent is £1,140. A monthly fee of 1,850 euros.
  {
    pattern: new RegExp(`${THE} ${ONE} (?:is|was|of|amounts to) (?<answer>${AMOUNT})`, 'g'),
    question: ({ subject }) => `How much is the ${subject}?`,
  },
  // The tenancy begins on 1 September 2024.
  {
    pattern: new RegExp(`${THE} ${ONE} (?:starts|begins|commences) on (?<answer>${DATE})`, 'g'),
    question: ({ subject }) => `When does the ${subject} begin?`,
  },
  {
    pattern: new RegExp(`${THE} ${ONE} (?:ends|expires|terminates) on (?<answer>${DATE})`, 'g'),
    question: ({ subject }) => `When does the ${subject} end?`,
  },
  // Invoices are due within thirty days. Backups are kept for ninety days.
  {
    pattern:
      /(?:\b[Tt]he |(?:^|(?<=[.!?] ))(?=[A-Z]))(?!Th|All|Both|Some|It |We )(?<subject>[A-Za-z]{1,30}(?: [a-z]{1,30})?) (?<verb>is|are) (?<done>due|paid|kept|sent|held|made|[a-z]{3,20}ed) (?<answer>(?<preposition>within|for|on|every) (?:the )?[\w-]{1,30}(?: [\w-]{1,30})?)/gm,
    question: ({ subject = '', verb, done, preposition }) =>
      `${preposition === 'for' ? 'How long' : preposition === 'every' ? 'How often' : 'When'} ${verb} the ${subject.toLowerCase()} ${done}?`,
  },
  // The chair of the board, Katrin Meier, opens the meeting.
  {
    pattern: new RegExp(
      String.raw`\b[Tt]he (?<subject>[a-z]{1,30}(?: of the [a-z]{1,30}(?: [a-z]{1,30})?)?), (?<answer>\p{Lu}\p{L}{1,30} \p{Lu}[\p{L}-]{1,30}),`,
      'gu',
    ),
    question: ({ subject }) => `Who is the ${subject}?`,
  },
  // Northgate Systems Ltd (the "Provider")
  {
    pattern:
      /(?<answer>\p{Lu}[\p{L}.&-]{0,30}(?: [\p{Lu}&][\p{L}.&-]{0,30}){0,5}) \((?:the )?["“](?<subject>\p{Lu}[\p{L} ]{1,30})["”]\)/gu,
    question: ({ subject }) => `Who is the ${subject}?`,
  },
  // What do we provide?
  {
    pattern: /^(?:#+ )?(?<question>(?:Wh[a-z]+|How) [^\n?]{8,60}\?) ?\n{1,3}(?<answer>[^\n]{1,300})/gm,
    question: ({ question = '' }) => question,
  },
];

/** First words of labels that name nothing. */
const NO_NAME = /^(?:To|From|For|Re|In|On|By|Your|Our|Note|Still|PS|Questions|\w+ed)\b/;
const PERSON = /(?:[aeo]r|[ai]nt|lord|guest|ian)s?$/i;
const NO_PERSON = /(?:number|order|offer|letter|paper|matter|year|summer|winter|grant)s?$/i;

function labelQuestion(label: string, answer: string): string | null {
  if (NO_NAME.test(label) || label === label.toUpperCase()) return null;
  const isPerson = PERSON.test(label) && !NO_PERSON.test(label) && /^\p{Lu}/u.test(answer);
  const isMany = /[^s]s$/.test(label);
  const name = label.replace(/(?<![\p{L}])\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
  return `${isPerson ? 'Who' : 'What'} ${isMany ? 'are' : 'is'} the ${name}?`;
}

/** Words that are at least this share of the words of an English text, and are rare in texts of other languages. */
const [ENGLISH, LEAST_ENGLISH] = [/^(?:the|of|and|to|is|are|for|with|be)$/i, 0.04];

function isEnglish(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => ENGLISH.test(word)).length >= LEAST_ENGLISH * words.length;
}

/** Questions of each kind in turn, so that the first few are of several kinds; each once. None where the text is not English. */
export function candidatesIn(text: string): Candidate[] {
  if (!isEnglish(text)) return [];
  const found = RULES.map(({ pattern, question }) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: whole, groups = {} }): Candidate[] => {
      const asked = question(groups);
      const { answer = '' } = groups;
      const start = index + whole.lastIndexOf(answer);
      return asked === null ? [] : [{ question: asked, start, end: start + answer.length }];
    }),
  );
  const longest = Math.max(...found.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, nth) => found.flatMap((kind) => kind.slice(nth, nth + 1))).flat();
  return [...new Map(inTurn.toReversed().map((one) => [one.question, one])).values()].toReversed();
}

/** Most questions that are suggested for a text, and most that are tried for them. */
const [MOST, MOST_TRIED] = [4, 10];
/** Characters around what a question asks for that are read to check it. */
const AROUND = 800;

/** Questions that the reader answers from a text, one by one. Ends early where it fails: the first one tells why. */
export async function* suggestedQuestions(client: Pick<Client, 'qa'>, text: string, signal: AbortSignal) {
  let count = 0;
  for (const candidate of candidatesIn(text).slice(0, MOST_TRIED)) {
    const answered = await isAnswered(client, text, candidate, signal);
    if (answered === null) return;
    if (!answered) continue;
    yield candidate.question;
    if (++count === MOST) return;
  }
}

/** Whether the best answer would be shown and is, in part, what the question asks for; null where the reader failed. */
async function isAnswered(
  client: Pick<Client, 'qa'>,
  text: string,
  { question, start, end }: Candidate,
  signal: AbortSignal,
): Promise<boolean | null> {
  const from = start <= AROUND ? 0 : Math.min(start, text.indexOf(' ', start - AROUND) + 1 || start);
  const to = end + AROUND >= text.length ? text.length : Math.max(end, text.lastIndexOf(' ', end + AROUND));
  const part = text.slice(from, to);
  const { toUtf16 } = codePointMap(part);
  let best = { score: -Infinity, start: 0, end: 0 };
  const answer = await client.qa(
    { query: question, documents: [{ text: part }], max_answers: 1 },
    {
      signal,
      nice: true,
      onProgress({ found = [] }) {
        for (const { score, answer: place } of found) {
          if (score <= best.score || !place) continue;
          const span = toUtf16(place);
          best = { score, start: from + span.start, end: from + span.start + span.length };
        }
      },
    },
  );
  if (!answer.ok) return null;
  return isShown(best) && best.start < end && best.end > start;
}
