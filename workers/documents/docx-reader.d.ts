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
    /** Of a check box. */
    readonly checked?: boolean;
    /** Of a break: line, page or column. */
    readonly breakType?: string;
    /** Of a cell of a table: the rows and columns that it takes. */
    readonly rowSpan?: number;
    readonly colSpan?: number;
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
    /** The text of a part; '' where it does not exist. */
    read(name: string, encoding: 'utf-8'): Promise<string>;
  }

  const reader: {
    read(file: DocxFile): Promise<{ readonly value: DocxDocument; readonly messages: readonly { message: string }[] }>;
  };
  export default reader;
}

/** mammoth's parser of XML. @source mammoth 1.13.0, lib/xml */
declare module 'mammoth/lib/xml/reader.js' {
  export type XmlNode = XmlElement | { readonly type: 'text'; readonly value: string };

  export interface XmlElement {
    readonly type: 'element';
    /** With the prefix of the map, or `{namespace}name`. */
    readonly name: string;
    /** Names as those of elements. */
    readonly attributes: Readonly<Record<string, string>>;
    readonly children: readonly XmlNode[];
  }

  const reader: {
    /** @param prefixes  by namespace. @throws {Error} for text that is not XML */
    readString(text: string, prefixes: Readonly<Record<string, string>>): Promise<XmlElement>;
  };
  export default reader;
}
