import reader, { type XmlElement, type XmlNode } from 'mammoth/lib/xml/reader.js';

export type { XmlElement, XmlNode };

const OFFICE = 'http://schemas.openxmlformats.org';
const STRICT = 'http://purl.oclc.org/ooxml';

/** Prefixes of namespaces, transitional and strict. @source ECMA-376, parts 1 and 4; MS-DOCX 2.2 */
const PREFIXES: Readonly<Record<string, string>> = {
  [`${OFFICE}/wordprocessingml/2006/main`]: 'w',
  [`${STRICT}/wordprocessingml/main`]: 'w',
  [`${OFFICE}/officeDocument/2006/relationships`]: 'r',
  [`${STRICT}/officeDocument/relationships`]: 'r',
  [`${OFFICE}/package/2006/relationships`]: 'rel',
  [`${OFFICE}/officeDocument/2006/math`]: 'm',
  [`${STRICT}/officeDocument/math`]: 'm',
  [`${OFFICE}/drawingml/2006/picture`]: 'pic',
  [`${STRICT}/drawingml/picture`]: 'pic',
  [`${OFFICE}/drawingml/2006/chart`]: 'c',
  [`${STRICT}/drawingml/chart`]: 'c',
  'http://schemas.microsoft.com/office/drawing/2014/chartex': 'c',
  [`${OFFICE}/drawingml/2006/diagram`]: 'dgm',
  [`${STRICT}/drawingml/diagram`]: 'dgm',
  [`${OFFICE}/markup-compatibility/2006`]: 'mc',
  'http://schemas.microsoft.com/office/word/2010/wordml': 'w14',
  'urn:schemas-microsoft-com:vml': 'v',
  'urn:schemas-microsoft-com:office:office': 'o',
};

/** Namespaces that `xmlText` declares, by prefix: those whose elements mammoth reads. */
const DECLARED: Readonly<Record<string, string>> = {
  w: `${OFFICE}/wordprocessingml/2006/main`,
  r: `${OFFICE}/officeDocument/2006/relationships`,
  w14: 'http://schemas.microsoft.com/office/word/2010/wordml',
  v: 'urn:schemas-microsoft-com:vml',
};

/** A part of a file as a tree. @throws {Error} for text that is not XML */
export function parseXml(text: string): Promise<XmlElement> {
  return reader.readString(text.replace(/^\uFEFF/, ''), PREFIXES);
}

/** A tree as text; elements and attributes of namespaces that mammoth does not read are left out. */
export function xmlText(root: XmlElement): string {
  const declarations = Object.entries(DECLARED).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return written(root, declarations.join(''));
}

function written(node: XmlNode, declarations = ''): string {
  if (node.type === 'text') return escaped(node.value);
  if (!isDeclared(node.name)) return '';
  const attributes = Object.entries(node.attributes)
    .filter(([name]) => isDeclared(name))
    .map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const children = node.children.map((child) => written(child));
  return `<${node.name}${declarations}${attributes.join('')}>${children.join('')}</${node.name}>`;
}

function isDeclared(name: string): boolean {
  return DECLARED[name.split(':', 1)[0] ?? ''] !== undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

export function element(name: string, children: readonly XmlNode[] = []): XmlElement {
  return { type: 'element', name, attributes: {}, children };
}

export function text(value: string): XmlNode {
  return { type: 'text', value };
}

/** The first child of a name. */
export function childOf({ children }: XmlElement, name: string): XmlElement | undefined {
  return children.find((child): child is XmlElement => child.type === 'element' && child.name === name);
}

/** The value of the first child of a name. */
export function attributeOf(parent: XmlElement | undefined, name: string): string | undefined {
  return parent && childOf(parent, name)?.attributes['w:val'];
}

/** Elements of a name anywhere below another, in order. */
export function elementsIn(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.flatMap((child) => {
    if (child.type === 'text') return [];
    const below = elementsIn(child, name);
    return child.name === name ? [child, ...below] : below;
  });
}

/** Elements of a name anywhere below another, in order, without those in one another. */
export function outermost(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.flatMap((child) => {
    if (child.type === 'text') return [];
    return child.name === name ? [child] : outermost(child, name);
  });
}
