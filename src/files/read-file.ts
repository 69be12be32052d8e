import {
  checkLength,
  type FileContent,
  type FileKind,
  type FileProblem,
  type ReadDocument,
  type ReadOptions,
  UnreadableFile,
} from './document.ts';

/** Most bytes of a file, 64 MiB: the contract's limit for a Docx file. */
export const MAX_BYTES = 64 * 2 ** 20;

/** Extensions of each kind. */
const ENDINGS: readonly (readonly [ending: RegExp, kind: FileKind])[] = [
  [/\.pdf$/i, 'pdf'],
  [/\.docx$/i, 'word'],
  [/\.(md|markdown)$/i, 'markdown'],
  [/\.(txt|text|log)$/i, 'text'],
];

/** The kind of a file, by its name, else by its media type; null for a kind that is not supported. */
export function fileKindOf({ name, type }: Pick<File, 'name' | 'type'>): FileKind | null {
  const byName = ENDINGS.find(([ending]) => ending.test(name))?.[1];
  if (byName) return byName;
  if (type === 'application/pdf') return 'pdf';
  if (type === 'text/markdown') return 'markdown';
  return type === 'text/plain' ? 'text' : null;
}

/**
 * Reads a file of the user, which may be of any kind.
 *
 * @throws {UnreadableFile} with the reason
 * @throws the reason of the signal
 */
export async function readFile(file: File, options: ReadOptions = {}): Promise<ReadDocument> {
  const { name, size } = file;
  const kind = fileKindOf(file);
  if (kind === null) throw new UnreadableFile(/\.(doc|dot)$/i.test(name) ? 'old_word' : 'unknown_kind', name);
  if (size > MAX_BYTES) throw new UnreadableFile('too_large', `${size} bytes`);
  const bytes = await bytesOf(file);
  if (bytes.length === 0) throw new UnreadableFile('empty', '0 bytes');
  const content = await readAs(kind, bytes, options);
  const { text } = content;
  options.signal?.throwIfAborted();
  if (text.trim() === '') throw new UnreadableFile(problemWithoutText(kind, content), 'no text');
  checkLength(text);
  return { name, kind, ...content };
}

function problemWithoutText(kind: FileKind, { unread }: FileContent): FileProblem {
  if (kind !== 'pdf') return 'empty';
  return unread.some((part) => part.kind === 'font') ? 'no_font_tables' : 'no_text';
}

async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    throw new UnreadableFile('unavailable', file.name, { cause });
  }
}

/** Each reader loads with the first file of its kind. */
async function readAs(kind: FileKind, bytes: Uint8Array<ArrayBuffer>, options: ReadOptions): Promise<FileContent> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf/read-pdf.ts')).readPdf(bytes, options);
    case 'word':
      return (await import('./read-word.ts')).readWord(bytes, options);
    case 'markdown':
      return (await import('./read-markdown.ts')).readMarkdown(bytes);
    case 'text':
      return (await import('./plain-text.ts')).readPlainText(bytes);
  }
}
