/**
 * The part of mammoth that reads a document, without what turns it into HTML. mammoth declares no types for it.
 *
 * @source mammoth 1.13.0, lib/docx/docx-reader.js and lib/documents.js
 */
declare module 'mammoth/lib/docx/docx-reader.js' {
  /** A node of the document, as far as it is read here. */
  export interface DocxNode {
    readonly type: string;
    readonly children?: readonly DocxNode[];
    /** Of a text. */
    readonly value?: string;
    /** Of a break: line, page or column. */
    readonly breakType?: string;
    /** Of a paragraph, as all below: its style, as the document names it. */
    readonly styleId?: string | null;
    readonly styleName?: string | null;
    /** Set where it is an entry of a list; levels count from 0. */
    readonly numbering?: { readonly isOrdered: boolean; readonly level: string } | null;
  }

  export interface DocxDocument extends DocxNode {
    readonly notes: { resolve(reference: DocxNode): { readonly body: readonly DocxNode[] } | undefined };
  }

  /** The parts of a Docx file, by name. */
  export interface DocxFile {
    exists(name: string): boolean;
    /** A part's text; mammoth asks for parts that exist. */
    read(name: string, encoding: 'utf-8'): Promise<string>;
  }

  const reader: { read(file: DocxFile): Promise<{ readonly value: DocxDocument }> };
  export default reader;
}
