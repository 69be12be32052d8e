import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/client/client.ts';
import { candidatesIn, suggestedQuestions } from '../../../../src/pages/documents/suggested-questions.ts';

const LEASE = `LEASE

Landlord: Olga Berg
Deposit: 950 euros
To: Noah Lind
Owners: Ada Brook and Carl Diaz

The tenancy begins on 1 May 2026 and expires on 30 April 2028. The rent is £1,140 a month.
The notice period ends on 31 March. Invoices are due within thirty days.
Keys are kept for ninety days. These lists are checked every May. The plan for the lifts ends on 2 May 2027.
The chair of the board, Katrin Obermüller, signs for Northgate Systems Ltd (the "Provider").

What may be kept?
One cat.
`;

const asked = (text: string) => candidatesIn(text).map(({ question }) => question);

describe('candidatesIn', () => {
  it('finds labels, amounts, dates, terms, people and questions', () => {
    expect(new Set(asked(LEASE))).toEqual(
      new Set([
        'Who is the landlord?',
        'What is the deposit?',
        'Who are the owners?',
        'When does the tenancy begin?',
        'How much is the rent?',
        'When does the notice period end?',
        'When are the invoices due?',
        'How long are the keys kept?',
        'Who is the chair of the board?',
        'Who is the Provider?',
        'What may be kept?',
      ]),
    );
  });

  it('says where the answer stands', () => {
    const answers = candidatesIn(LEASE).map(({ question, start, end }) => [question, LEASE.slice(start, end)]);
    expect(Object.fromEntries(answers)).toMatchObject({
      'What is the deposit?': '950 euros',
      'How much is the rent?': '£1,140',
      'Who is the Provider?': 'Northgate Systems Ltd',
      'What may be kept?': 'One cat.',
    });
  });

  it('begins with one of each kind, and asks each once', () => {
    const texts = asked(`${LEASE}\nDeposit: 900 euros\n`);
    expect(texts.slice(0, 2)).toEqual(['Who is the landlord?', 'How much is the rent?']);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('finds nothing in a text that is not English', () => {
    expect(asked('Kaution: 950 Euro\nVermieter: Olga Berg\n\nDie Miete ist am ersten des Monats fällig.')).toEqual([]);
  });

  it.each(['', 'To: Noah Lind', 'TOTAL: 5', 'It rains. Nothing is due.', 'a: b'])('finds nothing in %j', (text) => {
    expect(candidatesIn(text)).toEqual([]);
  });
});

/** A reader that finds the first of these words in the part it is given, with a score. */
function readerOf(word: string, score: number): Pick<Client, 'qa'> {
  return {
    async qa({ documents }, { onProgress } = {}) {
      const [{ text = '' } = {}] = documents as { text?: string }[];
      const place = { start: text.indexOf(word), length: word.length }; // no surrogates before it
      const found = [{ document: 0, score, answer: place, sentence: place, evidence: place }];
      onProgress?.({ phase: 'run', done: 1, total: 1, found });
      return { ok: true, value: { model_version: 'r 1', answers: [] } };
    },
  };
}

async function all(client: Pick<Client, 'qa'>, text: string): Promise<string[]> {
  const questions: string[] = [];
  for await (const question of suggestedQuestions(client, text, new AbortController().signal)) questions.push(question);
  return questions;
}

describe('suggestedQuestions', () => {
  it('suggests what the reader finds where the question comes from', async () => {
    const long = `${'Nothing is said here.\n\n'.repeat(100)}${LEASE}`;
    expect(await all(readerOf('950 euros', 0.5), long)).toEqual(['What is the deposit?']);
  });

  it('suggests nothing that the page would not show', async () => {
    expect(await all(readerOf('950 euros', 0.01), LEASE)).toEqual([]);
  });

  it('suggests at most four', async () => {
    const labels = ['Rent', 'Fee', 'Bail', 'Key', 'Lift', 'Sum'].map((label) => `${label}: 5 euros`).join('\n');
    const many = `This is all there is to be paid.\n\n${labels}`;
    const client: Pick<Client, 'qa'> = {
      async qa({ query }, { onProgress } = {}) {
        const start = many.toLowerCase().indexOf(`${query.slice('What is the '.length, -1)}: 5`);
        const place = { start, length: 10 };
        onProgress?.({
          phase: 'run',
          done: 1,
          total: 1,
          found: [{ document: 0, score: 1, answer: place, sentence: null, evidence: place }],
        });
        return { ok: true, value: { model_version: 'r 1', answers: [] } };
      },
    };
    expect(await all(client, many)).toHaveLength(4);
  });

  it('ends where the reader fails', async () => {
    let calls = 0;
    const qa: Client['qa'] = async () => {
      calls++;
      return { ok: false, problem: { status: 500, code: 'INTERNAL', message: 'no' } };
    };
    expect(await all({ qa }, LEASE)).toEqual([]);
    expect(calls).toBe(1);
  });
});
