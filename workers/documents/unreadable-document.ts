/** A file that cannot be read as a Docx document; `message` says what it is instead, as in "got …". */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}
