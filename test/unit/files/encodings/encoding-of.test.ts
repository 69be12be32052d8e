import { describe, expect, it } from 'vitest';
import { encodingOf } from '../../../../src/files/encodings/encoding-of.ts';
import { readFile } from '../../../../src/files/read-file.ts';
import { readCsv } from '../../../../src/files/table/csv.ts';
import { encoded } from '../../../support/files/encoded.ts';

const TEXTS: readonly (readonly [encoding: string, text: string])[] = [
  ['windows-1251', 'Арендатор платит арендную плату вперёд, до третьего рабочего дня каждого месяца.'],
  ['koi8-u', 'Арендатор платит арендную плату вперёд, до третьего рабочего дня каждого месяца.'],
  ['iso-8859-5', 'Арендатор платит арендную плату вперёд, до третьего рабочего дня каждого месяца.'],
  [
    'windows-1250',
    'Nájemce platí nájemné předem, nejpozději třetí pracovní den každého měsíce. Žádná výjimka se neposkytuje, pokud se smluvní strany nedohodnou jinak. Škodu hradí nájemce.',
  ],
  [
    'iso-8859-2',
    'Najemca płaci czynsz z góry, najpóźniej trzeciego dnia roboczego każdego miesiąca. Umowa może być rozwiązana, jeśli najemca się spóźnia. Źródło: wspólnota.',
  ],
  [
    'windows-1253',
    'Ο μισθωτής πληρώνει το μίσθωμα προκαταβολικά, έως την τρίτη εργάσιμη ημέρα κάθε μήνα. Άλλως η σύμβαση λύεται.',
  ],
  [
    'iso-8859-7',
    'Ο μισθωτής πληρώνει το μίσθωμα προκαταβολικά, έως την τρίτη εργάσιμη ημέρα κάθε μήνα. Άλλως η σύμβαση λύεται. Ήδη Άννα, Άρης.',
  ],
  [
    'windows-1254',
    'Kiracı, kirayı her ayın üçüncü iş gününe kadar peşin öder. Sözleşme, kiracı gecikirse feshedilebilir. İstisna yoktur, şartlar değişmez.',
  ],
  ['windows-1255', 'השוכר משלם את דמי השכירות מראש, עד יום העבודה השלישי של כל חודש, לבעל הדירה.'],
  ['windows-1256', 'يدفع المستأجر الإيجار مقدما في موعد أقصاه يوم العمل الثالث من كل شهر.'],
  [
    'windows-1252',
    'Die Miete ist im Voraus fällig. Der Mieter trägt die Kosten für die Müllabfuhr und die Straßenreinigung. Änderungen bedürfen der Schriftform, größere Schäden sind sofort zu melden.',
  ],
  ['shift_jis', '賃借人は毎月第三営業日までに家賃を前払いする。'],
  ['euc-jp', '賃借人は毎月第三営業日までに家賃を前払いする。'],
  ['gb18030', '承租人应于每月第三个工作日之前预付租金，并将租金汇入出租人的银行账户。'],
  ['big5', '承租人應於每月第三個工作日之前預付租金，並將租金匯入出租人的銀行帳戶。'],
  ['euc-kr', '임차인은 매월 세 번째 영업일까지 임대료를 미리 지불한다.'],
];

describe('encodingOf', () => {
  it.each(TEXTS)('recognises %s, also with bytes of a cut character at its end', (encoding, text) => {
    expect(encodingOf(encoded(text, encoding))).toBe(encoding);
    expect(encodingOf(encoded(`${'The lease.\n'.repeat(5_000)}${text}`, encoding))).toBe(encoding);
  });

  it.each([
    ['letters that several encodings have', 'á é í', 'windows-1250'],
    ['one letter', 'Über', 'windows-1252'],
    ['few letters of Hebrew, which are small letters of Cyrillic', 'ישן', 'windows-1255'],
  ])('recognises nothing by %s', (_name, text, encoding) => {
    expect(encodingOf(encoded(text, encoding))).toBeNull();
  });

  it('recognises nothing in bytes of no language', () => {
    expect(encodingOf(Uint8Array.from({ length: 1000 }, (_, at) => 128 + ((at * 89) % 128)))).toBeNull();
  });
});

describe('files in an older encoding', () => {
  it('are read in it, and the encoding is named', async () => {
    const [encoding, text] = ['windows-1251', 'Арендатор платит арендную плату вперёд.'];
    const bytes = encoded(text, encoding);
    const count = text.match(/[^ .]/g)?.length;
    const file = await readFile(new File([bytes], 'lease.txt'));
    expect([file.text, file.unread]).toEqual([text, [{ kind: 'character', count, encoding }]]);
  });

  it('are read as tables, too', () => {
    const { names, rows, unread } = readCsv(encoded('Město;Země\nTřebíč;Česko\nŽďár;Česko\n', 'windows-1250'));
    expect([names, rows]).toEqual([
      ['Město', 'Země'],
      [
        ['Třebíč', 'Česko'],
        ['Žďár', 'Česko'],
      ],
    ]);
    expect(unread).toEqual([{ kind: 'character', count: 10, encoding: 'windows-1250' }]);
  });
});
