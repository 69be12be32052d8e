import { expect, it } from 'vitest';
import { missingWords } from '../../../../src/pages/documents/missing-words.ts';

it.each([
  ['When does the agreement end?', 'The agreement starts on 1 March 2026.', ['end']],
  ['When does the agreement start?', 'The agreement starts on 1 March 2026.', []],
  ['Who is liable for damage?', 'The liability for damages is with the tenant.', []],
  ["What is the tenant's name?", 'The tenant is Noah Lind.', []],
  ['Who planted the roses and the roses’ hedge?', 'Olaf came in April.', ['planted', 'roses', 'hedge']],
  ['What costs 500 euros?', 'The fee is 5000 euros.', ['costs', '500']],
  ['Who?', 'Nobody.', []],
])('the words of %j that %j lacks are %j', (question, sentence, missing) => {
  expect(missingWords(question, sentence)).toEqual(missing);
});
