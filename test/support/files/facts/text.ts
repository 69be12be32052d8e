import { shuffled } from '../../../../workers/kernels/seeded-random.ts';
import { bytesOf } from './encodings.ts';
import { type FileWithFacts, placed, type Places, plainWriting, type Writing } from './writing.ts';

/** Places of a text file. */
const PLACES: Places = {
  paragraph: { write: (fact) => fact },
  'wrapped lines': { write: (fact) => `It was agreed as follows.\n${fact.replaceAll(/(.{1,24}) /g, '$1\n')}` },
  heading: { write: (fact) => `${fact}\n${'='.repeat(fact.length)}` },
  'list entry': { write: (fact) => `  * Rent\n  * ${fact}` },
  frame: { write: (fact) => `+${'-'.repeat(fact.length + 2)}+\n| ${fact} |\n+${'-'.repeat(fact.length + 2)}+` },
  columns: { write: (fact) => `Clause          Text\n1               ${fact}` },
  'line of a form': { write: (fact) => `Remark .......: ${fact}` },
  'quoted mail': { write: (fact) => `> > ${fact}\n> Agreed.` },
  'head of a page': { write: (fact) => `\f${fact}          - 2 -` },
  'colours of a terminal': { write: (fact) => `\u001B[1;31m${fact}\u001B[0m` },
  'letters struck twice': { write: (fact) => fact.replaceAll(/\w/g, '$&\b$&') },
  'marks of Markdown': { write: (fact) => `<b>${fact}</b> &amp; *more*` },
};

/** A text file with a fact in each place. Ends of lines and encoding differ. */
export function textFileWithFacts(seed: number, writing: Writing = plainWriting(seed)): FileWithFacts {
  const parts = placed(shuffled(Object.entries(PLACES), seed), writing);
  const body = parts.map(({ written }) => `${written}\n\n${writing.filler()}`).join('\n\n');
  const text = `${writing.title} (Müller)\n\n${body}\n`;
  return {
    file: new File([bytesOf(seed % 2 === 0 ? text.replaceAll('\n', '\r\n') : text, seed)], `minutes-${seed}.txt`),
    facts: parts.map(({ place, fact, expected }) => ({ place, fact, expected })),
  };
}
