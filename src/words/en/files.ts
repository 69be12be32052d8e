import { wordsOf } from '../spoken.ts';

/** Why a file of the user cannot be read, by the code of `UnreadableFile`. */
export const FILES = {
  problems: {
    unknown_kind: (name: string) => `‘${name}’ is not a PDF, Word, Markdown or text file.`,
    old_word: (name: string) =>
      `‘${name}’ is encrypted or in Word’s old .doc format. Save it as .docx without a password.`,
    encrypted: (name: string) => `‘${name}’ is protected by a password. Save it without one and add it again.`,
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
};

/** See `FILES`. */
export const filesWords = wordsOf('files', FILES);
