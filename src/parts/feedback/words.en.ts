import type { UnreadPart } from '../../contract/qa.ts';
import { countText, type Plural, wordsFor } from '../../words/language.ts';

/** Why a file of the user cannot be read, by the code of `UnreadableFile`. */
export const filesWords = wordsFor('files', {
  problems: {
    unknown_kind: (name: string) => `‘${name}’ is not a PDF, Word, Markdown or text file.`,
    old_word: (name: string) =>
      `‘${name}’ is encrypted or in Word’s old .doc format. Save it as .docx without a password.`,
    encrypted: (name: string) => `‘${name}’ is protected by a password. Save it without one and add it again.`,
    no_font_tables: (name: string) =>
      `‘${name}’ has text in fonts without the font tables that say which characters they show. Save it again with embedded fonts, or as text.`,
    overflow: (name: string) => `‘${name}’ unpacks to more data than is read. It may be damaged or malicious.`,
    too_slow: (name: string) => `‘${name}’ takes too long to read. It may be damaged or malicious.`,
    damaged: (name: string) => `‘${name}’ is damaged, or it is not the kind of file that its name says.`,
    no_text: (name: string) =>
      `‘${name}’ holds pictures of pages but no text, as scans do. Run text recognition (OCR) on it first.`,
    empty: (name: string) => `‘${name}’ holds no text.`,
    too_large: (name: string) => `‘${name}’ is larger than 64 MB. Split it into smaller files.`,
    too_long: (name: string) =>
      `‘${name}’ is longer than 5 million characters or 3,000 pages. Split it into smaller files.`,
    unavailable: (name: string) => `The browser cannot read ‘${name}’. It may be a folder, or it was moved or deleted.`,
    unread: (name: string) => `Reading ‘${name}’ failed. Reload the page and add it again.`,
  },
  notRead: (parts: string) => `Not read: ${parts}.`,
  check: (parts: string) => `Please check: ${parts}.`,
  readAs: (characters: number, encoding: string) =>
    `${countText(characters, { one: 'character', other: 'characters' })} read as ${encoding}`,
  unread: {
    picture: { one: 'picture', other: 'pictures' },
    chart: { one: 'chart', other: 'charts' },
    diagram: { one: 'diagram', other: 'diagrams' },
    object: { one: 'embedded object', other: 'embedded objects' },
    part: { one: 'embedded document', other: 'embedded documents' },
    equation: { one: 'equation', other: 'equations' },
    symbol: { one: 'symbol', other: 'symbols' },
    font: { one: 'font without character tables', other: 'fonts without character tables' },
    form: { one: 'XFA form', other: 'XFA forms' },
    annotation: { one: 'annotation', other: 'annotations' },
    comment: { one: 'comment', other: 'comments' },
    field: { one: 'form field without a state', other: 'form fields without a state' },
    attachment: { one: 'attached file', other: 'attached files' },
    textless_page: { one: 'page without text', other: 'pages without text' },
    damage: { one: 'damaged part', other: 'damaged parts' },
    hidden_text: { one: 'hidden text', other: 'hidden texts' },
    deleted_text: { one: 'deletion by a tracked change', other: 'deletions by tracked changes' },
    struck_text: { one: 'text that is struck through', other: 'texts that are struck through' },
    reading_aid: { one: 'reading aid (ruby)', other: 'reading aids (ruby)' },
    page_number: { one: 'page number', other: 'page numbers' },
    running_head: { one: 'repeated page header or footer', other: 'repeated page headers or footers' },
    metadata: { one: 'block of metadata (front matter or title)', other: 'blocks of metadata (front matter or title)' },
    character: { one: 'character in an unknown encoding', other: 'characters in an unknown encoding' },
    unclosed_quote: { one: 'quotation mark that is never closed', other: 'quotation marks that are never closed' },
    uneven_row: { one: 'row with too many values', other: 'rows with too many values' },
  } satisfies Record<UnreadPart['kind'], Plural>,
});
