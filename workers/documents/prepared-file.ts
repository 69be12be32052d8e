import type { DocxFile } from 'mammoth/lib/docx/docx-reader.js';
import type { UnreadPart } from '../../src/contract/qa.ts';
import { createListNumbers } from './list-numbers.ts';
import { looksOf, needsPreparation, type PartPreparation, prepare } from './word-xml.ts';
import { childOf, element, elementsIn, parseXml, type XmlElement, type XmlNode, xmlText } from './xml.ts';

/** Matches properties that hide text, or that a style may have said before. */
const NOTED_LOOK =
  /<w:(?:vanish|d?strike|color [^>]*(?:['&]|"(?:F[5-9A-F]){3}")|sz(?!Cs| w:val="(?:[4-9]|[1-9]\d+)"))/i;

/** Matches the colour of all pages, and pictures and areas behind text. */
const BACKGROUND = /<w:background |behindDoc="1"/;

/**
 * A Docx file in which mammoth finds all text: see `prepare`. Page headers come before the body, page footers after it, each
 * text once. Parts that need no change are passed on as they are.
 *
 * @returns with the parts that are not read, each kind once
 * @throws {Error} for damaged XML, or a file without a document
 */
export async function preparedFile(
  given: DocxFile,
): Promise<{ readonly file: DocxFile; readonly unread: UnreadPart[] }> {
  const changed = new Map<string, string>();
  const file: DocxFile = {
    exists: (name) => changed.has(name) || given.exists(name),
    read: async (name, encoding) => changed.get(name) ?? given.read(name, encoding),
  };
  const textOf = (name: string) => given.read(name, 'utf-8');
  const mainDocument = (await relationshipsOf('', file)).find(isOf('officeDocument'))?.part ?? 'word/document.xml';
  const related = await relationshipsOf(mainDocument, file);
  const nameOf = (kind: string) => related.find(isOf(kind))?.part ?? `word/${kind}.xml`;
  const counts = new Map<UnreadPart['kind'], number>();
  const onUnread = (kind: UnreadPart['kind']) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const [ofStyles, ofLists] = [await textOf(nameOf('styles')), await textOf(nameOf('numbering'))];
  const both = `${ofStyles} ${await textOf(mainDocument)}`;
  const usesLists = ofLists !== '' && both.includes('numPr');
  const styles =
    ofStyles !== '' && (usesLists || NOTED_LOOK.test(both)) ? await parseXml(ofStyles) : element('w:styles');
  const preparation: Omit<PartPreparation, 'fields'> = {
    styles: looksOf(styles),
    isOnColour: BACKGROUND.test(both),
    numberOf: usesLists ? createListNumbers(await parseXml(ofLists), styles, () => onUnread('symbol')) : null,
    onUnread,
  };
  if (ofStyles === '') changed.set(nameOf('styles'), xmlText(styles)); // without one, mammoth fails at the style of a table
  for (const name of [mainDocument, nameOf('footnotes'), nameOf('endnotes')].filter(file.exists)) {
    const text = await textOf(name);
    if (!needsPreparation(text, preparation)) continue;
    const root = await parseXml(text);
    const complete = name === mainDocument ? await withMargins(root, related, file) : root;
    const [prepared] = prepare(complete, { ...preparation, fields: closesFields(complete) ? [] : null });
    if (prepared?.type === 'element') changed.set(name, xmlText(prepared));
  }
  return { file, unread: Array.from(counts, ([kind, count]) => ({ kind, count })) };
}

/** mammoth takes time for the square of the fields that are open. */
const MAX_OPEN_FIELDS = 500;

/** Whether each field of a part ends after it begins. @throws {Error} where more are open than any document needs */
function closesFields(root: XmlElement): boolean {
  let open = 0;
  return (
    elementsIn(root, 'w:fldChar').every(({ attributes: { 'w:fldCharType': type } }) => {
      open += type === 'begin' ? 1 : type === 'end' ? -1 : 0;
      if (open > MAX_OPEN_FIELDS)
        throw new Error(`expected at most ${MAX_OPEN_FIELDS} fields in one another, got more`);
      return open >= (type === 'separate' ? 1 : 0);
    }) && open === 0
  );
}

/** A document with the content of its page headers before that of its body, and with that of its page footers after it. */
async function withMargins(root: XmlElement, related: readonly Relationship[], file: DocxFile): Promise<XmlElement> {
  const body = childOf(root, 'w:body');
  if (!body) return root;
  const contentOf = async (reference: string): Promise<readonly XmlNode[]> => {
    const contents = new Map<string, readonly XmlNode[]>();
    for (const { attributes } of elementsIn(root, reference)) {
      const part = related.find(({ id }) => id === attributes['r:id'])?.part;
      if (part === undefined || !file.exists(part)) continue;
      const { children } = await parseXml(await file.read(part, 'utf-8'));
      contents.set(JSON.stringify(children), children);
    }
    return [...contents.values()].flat();
  };
  const [headers, footers] = [await contentOf('w:headerReference'), await contentOf('w:footerReference')];
  const complete = { ...body, children: [...headers, ...body.children, ...footers] };
  return { ...root, children: root.children.map((child) => (child === body ? complete : child)) };
}

interface Relationship {
  readonly id: string;
  /** A URL that ends in the kind of the part. */
  readonly type: string;
  /** Name of the part. */
  readonly part: string;
}

function isOf(kind: string): (relationship: Relationship) => boolean {
  return ({ type }) => type.endsWith(`/${kind}`);
}

/** The parts of the file that a part refers to; '' is the file itself. @source ECMA-376 part 2, 6.5 */
async function relationshipsOf(name: string, file: DocxFile): Promise<Relationship[]> {
  const [, folder = '', base = ''] = /^(.*\/)?([^/]*)$/.exec(name) ?? [];
  const part = `${folder}_rels/${base}.rels`;
  if (!file.exists(part)) return [];
  return elementsIn(await parseXml(await file.read(part, 'utf-8')), 'rel:Relationship')
    .filter(({ attributes }) => attributes['TargetMode'] !== 'External')
    .map(({ attributes: { Id: id = '', Type: type = '', Target: target = '' } }) => ({
      id,
      type,
      part: target.startsWith('/') ? target.slice(1) : joined(folder, target),
    }));
}

/** A relative path without steps up. */
function joined(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of `${folder}${target}`.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}
