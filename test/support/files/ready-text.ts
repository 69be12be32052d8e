import type { ReadyDocument } from '../../../src/pages/documents/answers.ts';

/** A text as a document that has been read: one paragraph. */
export function readyText(id: number, text: string, name = `${id}.md`): ReadyDocument {
  const blocks = [{ kind: 'paragraph' as const, start: 0, length: text.length }];
  return {
    id,
    file: new File([text], name),
    document: { name, kind: 'markdown', text, layout: { type: 'blocks', blocks }, unread: [] },
  };
}
