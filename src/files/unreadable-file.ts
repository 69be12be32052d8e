/** Why a file cannot be read, named for what the user can do about it. */
export type FileProblem =
  | 'unknown_kind' // neither PDF, Word, Markdown nor text
  | 'old_word' // a .doc file, or an encrypted .docx
  | 'encrypted' // a PDF that asks for a password
  | 'damaged' // cut off, or not what its name says
  | 'no_text' // scanned: pictures of text, which are not read
  | 'empty'
  | 'too_large' // more bytes than are read
  | 'too_long' // more text than is read
  | 'unavailable' // the browser cannot hand out its bytes: a folder, or a file that is gone
  | 'unread'; // a defect of ours: the file may be well

/** A file that cannot be read. `message` is for developers; the page has words for each code. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly problem: FileProblem;

  constructor(problem: FileProblem, detail: string, options?: ErrorOptions) {
    super(`${problem}: ${detail}`, options);
    this.problem = problem;
  }
}
