import { expect, it } from 'vitest';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { rawPdf } from '../../../support/files/pdf-file.ts';

const DINGBATS = '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>';

const read = (content: string) =>
  readPdf(rawPdf({ pages: [{ content, fonts: '/F3 5 0 R' }], objects: [DINGBATS] }), {});

it('reads the characters of ZapfDingbats, not the letters at their codes', async () => {
  const { text, unread } = await read(
    'BT /F3 11 Tf 72 700 Td (4) Tj /F1 11 Tf ( paid 4 ) Tj /F3 11 Tf (8) Tj /F1 11 Tf ( open) Tj ET',
  );
  expect(text).toBe('✔ paid 4 ✘ open');
  expect(unread).toEqual([]);
});

it.each([
  ['! "', '✁ ✂'],
  ['% * +', '☎ ☛ ☞'],
  ['H l n s t u w', '★ ● ■ ▲ ▼ ◆ ◗'],
  [String.raw`\241 \247 \250 \253`, '❡ ❧ ♣ ♠'],
  [String.raw`\254 \265 \266 \323`, '① ⑩ ❶ ➓'],
  [String.raw`\324 \325 \326 \327 \330 \376`, '➔ → ↔ ↕ ➘ ➾'],
])("reads %s as in Adobe's list", async (codes, expected) => {
  const { text } = await read(`BT /F3 11 Tf 72 700 Td (${codes}) Tj ET`);
  expect(text).toBe(expected);
});
