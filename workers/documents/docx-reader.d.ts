/**
 * The part of mammoth that reads a document, without its HTML writer. mammoth declares no types for it.
 *
 * @source mammoth 1.13.0, lib/docx/docx-reader.js and lib/documents.js
 */
declare module 'mammoth/lib/docx/docx-reader.js' {
  /** The part of a node that is read here. */
  export interface DocxNode {
    readonly type: string;
    readonly children?: readonly DocxNode[];
    /** Of a text. */
    readonly value?: string;
    /** Of a break: line, page or column. */
    readonly breakType?: string;
    /** Of a paragraph, like the fields below: the name of its style. */
    readonly styleId?: string | null;
    readonly styleName?: string | null;
    /** Of an entry of a list; levels count from 0. */
    readonly numbering?: { readonly isOrdered: boolean; readonly level: string } | null;
  }

  export interface DocxDocument extends DocxNode {
    readonly notes: { resolve(reference: DocxNode): { readonly body: readonly DocxNode[] } | undefined };
  }

  /** The parts of a Docx file, by name. */
  export interface DocxFile {
    exists(name: string): boolean;
    /** The text of a part that exists. */
    read(name: string, encoding: 'utf-8'): Promise<string>;
  }

  const reader: { read(file: DocxFile): Promise<{ readonly value: DocxDocument }> };
  export default reader;
}
