import type { UnreadPart } from '../../src/contract/qa.ts';
import { mathText } from './math-text.ts';
import { attributeOf, childOf, element, elementsIn, outermost, text, type XmlElement, type XmlNode } from './xml.ts';

/** Matches an element of which mammoth may not read all text: any but those of plain paragraphs and tables. */
const NEEDS_PREPARATION = new RegExp(
  String.raw`<(?![/?!]|w:(?:document|body|p|r|t|tab|br|tbl|tr|tc|footnotes?|endnotes?|ins|proofErr|noBreakHyphen|softHyphen|` +
    String.raw`bookmarkStart|bookmarkEnd|lastRenderedPageBreak|(?:footnote|endnote)(?:Ref|Reference)|separator|continuationSeparator|` +
    String.raw`(?!vanish|framePr)(?:\w+Pr|pStyle|rStyle|jc|spacing|ind|b|bCs|i|iCs|u|sz w:val="(?:[4-9]|[1-9]\d+)"|szCs|rFonts|lang|highlight|shd|` +
    String.raw`(?:color|vertAlign)(?![^>]*(?:['&]|"(?:superscript|(?:[Ff][5-9A-Fa-f]){3})"))|` +
    String.raw`keepNext|keepLines|widowControl|contextualSpacing|outlineLvl|tabs|numId|ilvl|pgSz|pgMar|cols|docGrid|tblGrid|gridCol|` +
    String.raw`tblW|tblStyle|tblLook|tblBorders|tblLayout|tcW|tcBorders|vAlign|vMerge|gridSpan|top|left|bottom|right|insideH|insideV))` +
    String.raw`[\s/>])`,
);

/** A character of a font of symbols. */
const PRIVATE = /[\uF020-\uF0FF]/;

/** Elements that mammoth 1.13.0 reads. The children of any other element with text are read in its place. */
const KNOWN = new Set(
  (
    'w:p w:r w:t w:tab w:br w:sym w:fldChar w:noBreakHyphen w:softHyphen w:hyperlink w:tbl w:tr w:tc w:sdt w:sdtContent ' +
    'w:customXml w:ins w:moveTo w:smartTag w:pict w:txbxContent w:document w:body w:footnotes w:endnotes w:footnote ' +
    'w:endnote v:shape v:roundrect v:rect v:group v:textbox'
  ).split(' '),
);

/** Elements of which no child is text of the document. */
const NO_TEXT = /^(?:\w+:\w*(?:Pr|PrEx|Grid|Change)|w:moveFrom|w:noteReference)$/;

/** What properties say of how text looks: whether they hide it, how small or pale it is, whether it is struck through or on a colour. */
interface Look {
  readonly isHidden?: boolean;
  readonly isTiny?: boolean;
  readonly isWhite?: boolean;
  readonly isStruck?: boolean;
  readonly isOnColour?: boolean;
}

/** What is known while a part is made ready. */
export interface PartPreparation {
  /** What styles say, by their ids. */
  readonly styles: ReadonlyMap<string, Look>;
  /** Whether the text may be on another colour than that of the page. */
  readonly isOnColour?: boolean;
  /** Called for each part that is not read. */
  readonly onUnread: (kind: UnreadPart['kind']) => void;
  /** Fields that are open, the innermost last: whether their result has begun. Null where a part does not close each. */
  readonly fields: boolean[] | null;
  /** The number that Word shows before a paragraph, or ''; null in a file without lists. To be called once for each. */
  readonly numberOf: ((paragraph: XmlElement) => string) | null;
  /** The style of the paragraph around. */
  readonly paragraphStyle?: string | undefined;
}

/** Whether a part has elements that `prepare` replaces or counts. */
export function needsPreparation(
  part: string,
  { styles, numberOf }: Pick<PartPreparation, 'styles' | 'numberOf'>,
): boolean {
  const isNoted = ({ isHidden, isTiny, isWhite, isStruck }: Look) => isHidden || isTiny || isWhite || isStruck;
  return numberOf !== null || [...styles.values()].some(isNoted) || NEEDS_PREPARATION.test(part) || PRIVATE.test(part);
}

/**
 * Replaces what mammoth does not know by what it knows, so that all text a reader sees in Word is read: simple fields,
 * equations, text boxes, ruby, carriage returns, selected entries of lists. Hidden text is removed. What has no text is counted.
 */
export function prepare(node: XmlNode, preparation: PartPreparation): XmlNode[] {
  if (node.type === 'text' || NO_TEXT.test(node.name)) return [node];
  const rule = RULES[node.name];
  if (rule) return rule(node, preparation);
  const prepared = withChildren(node, preparation);
  return KNOWN.has(node.name) || !hasText(node) ? [prepared] : [...prepared.children];
}

function withChildren(parent: XmlElement, preparation: PartPreparation): XmlElement {
  const inner = isOnColour(parent, preparation) ? { ...preparation, isOnColour: true } : preparation;
  return { ...parent, children: withDropCaps(parent.children.flatMap((child) => prepare(child, inner))) };
}

/** Elements that may have a colour of their own, by their properties. */
const COLOURED: Readonly<Record<string, string>> = { 'w:p': 'w:pPr', 'w:tbl': 'w:tblPr', 'w:tc': 'w:tcPr' };

/** Boxes have one more often than not. */
function isOnColour(parent: XmlElement, { styles }: PartPreparation): boolean {
  if (parent.name === 'w:txbxContent') return true;
  const properties = childOf(parent, COLOURED[parent.name] ?? '');
  const style = attributeOf(properties, 'w:pStyle') ?? attributeOf(properties, 'w:tblStyle') ?? '';
  return properties !== undefined && (isShaded(properties) || styles.get(style)?.isOnColour === true);
}

/** Whether properties give their text a colour to stand on. */
function isShaded(properties: XmlElement): boolean {
  const isColour = ({ attributes: { 'w:fill': fill = 'auto', 'w:val': pattern = 'clear' } }: XmlElement) =>
    fill === 'auto' ? !/^(?:clear|nil)$/.test(pattern) : !WHITE.test(fill);
  const highlight = attributeOf(properties, 'w:highlight') ?? 'none';
  return elementsIn(properties, 'w:shd').some(isColour) || !/^(?:none|white)$/.test(highlight);
}

/** With a first letter that is a paragraph of its own, as a drop cap is, in the paragraph that it begins. */
function withDropCaps(children: readonly XmlNode[]): XmlNode[] {
  let cap: readonly XmlNode[] = [];
  return children.flatMap((child) => {
    if (child.type === 'text' || child.name !== 'w:p') return [child];
    const properties = childOf(child, 'w:pPr');
    const own = child.children.filter((each) => each !== properties);
    const frame = properties && childOf(properties, 'w:framePr');
    const joined = [...cap, ...own];
    cap = /drop|margin/.test(frame?.attributes['w:dropCap'] ?? '') ? joined : [];
    return cap.length > 0 ? [] : [{ ...child, children: [...(properties ? [properties] : []), ...joined] }];
  });
}

/** With a circumflex before a raised number after a number: 10³ is not 103. */
function withPowers(children: readonly XmlNode[]): XmlNode[] {
  let before = '';
  const withPower = (child: XmlNode): XmlNode => {
    if (child.type === 'text' || NO_TEXT.test(child.name)) return child;
    if (child.name !== 'w:r') return { ...child, children: child.children.map(withPower) };
    const shown = elementsIn(child, 'w:t').map(mathText).join('');
    const properties = childOf(child, 'w:rPr');
    const isRaised = attributeOf(properties, 'w:vertAlign') === 'superscript';
    const isPower = isRaised && /\d$/.test(before) && /^\d/.test(shown);
    if (shown !== '') before = shown;
    if (!isPower) return child;
    const caret = element('w:t', [text('^')]);
    return { ...child, children: child.children.flatMap((each) => (each === properties ? [each, caret] : [each])) };
  };
  return children.map(withPower);
}

/** What comes in place of elements that mammoth does not read as they are. */
const RULES: Readonly<Record<string, (element: XmlElement, preparation: PartPreparation) => XmlNode[]>> = {
  'w:p': (paragraph, preparation) => {
    const paragraphStyle = attributeOf(childOf(paragraph, 'w:pPr'), 'w:pStyle');
    const number = preparation.numberOf?.(paragraph) ?? '';
    const inner = withChildren(paragraph, { ...preparation, paragraphStyle });
    const prepared = { ...inner, children: withPowers(inner.children) };
    if (number === '' || !hasText(prepared)) return [prepared];
    return [{ ...prepared, children: [runOf(`${number} `), ...prepared.children] }];
  },
  'w:r': preparedRun,
  'w:cr': () => [element('w:br')],
  'w:ptab': () => [element('w:tab')],
  // What a field within the instruction of another gives is not shown.
  'w:t': (shown, { fields }) => (fields?.slice(0, -1).includes(false) ? [] : [shown]),
  'w:tr': (row, preparation) => {
    const properties = childOf(row, 'w:trPr');
    if (!properties || !childOf(properties, 'w:hidden')) return [withChildren(row, preparation)];
    preparation.onUnread('hidden_text');
    return [];
  },
  'w:ruby': (ruby, preparation) => {
    preparation.onUnread('reading_aid');
    const base = childOf(ruby, 'w:rubyBase');
    return base ? [...withChildren(base, preparation).children] : [];
  },
  'm:oMath': (equation, { onUnread }) => {
    if (elementsIn(equation, 'w:del').length > 0) onUnread('deleted_text');
    return [runOf(mathText(equation))];
  },
  'mc:AlternateContent': (alternatives, preparation) => {
    const [choice, fallback] = [childOf(alternatives, 'mc:Choice'), childOf(alternatives, 'mc:Fallback')];
    const chosen = fallback && (hasText(fallback) || !choice || !hasText(choice)) ? fallback : choice;
    return chosen ? [...withChildren(chosen, preparation).children] : [];
  },
  'w:drawing': preparedDrawing,
  'v:imagedata': counted('picture'),
  'v:textpath': ({ attributes }) => textBox([element('w:p', [runOf(attributes['string'] ?? '')])]),
  'w:object': (object, preparation) =>
    elementsIn(object, 'o:OLEObject').length > 0
      ? counted('object')(object, preparation)
      : [withChildren(object, preparation)],
  'w:altChunk': counted('part'),
  'w:subDoc': counted('part'),
  'w:contentPart': counted('part'),
  'w:commentReference': counted('comment'),
  'w:del': (deletion, { onUnread }) => {
    if (elementsIn(deletion, 'w:delText').length > 0) onUnread('deleted_text');
    return [deletion];
  },
  // A link may name a relationship that does not exist; only its text is read.
  'w:hyperlink': (link, preparation) => [{ ...withChildren(link, preparation), attributes: {} }],
  'w:instrText': (instruction, preparation) => shownBy(mathText(instruction), preparation) ?? [instruction],
  'w:fldSimple': (field, preparation) => {
    const shown = hasText(field) ? null : shownBy(field.attributes['w:instr'] ?? '', preparation);
    return shown ? [element('w:r', shown)] : [...withChildren(field, preparation).children];
  },
  'w:fldChar': (character, { fields }) => {
    if (fields) takeFieldCharacter(fields, character);
    const entry = selectedEntry(character);
    return entry === null ? [character] : [character, element('w:t', [text(entry)])];
  },
};

/** Adds the beginning of a field to those that are open, or ends one. @source ECMA-376 part 1, 17.16.18 */
function takeFieldCharacter(fields: boolean[], { attributes }: XmlElement): void {
  const type = attributes['w:fldCharType'];
  if (type === 'begin') fields.push(false);
  else if (type === 'separate') fields.splice(-1, 1, true);
  else if (type === 'end') fields.pop();
}

/** Fields that Word shows by their instruction. @source ECMA-376 part 1, 17.16.5; Word's help for EQ */
const FIELD_WITHOUT_RESULT = /^\s*(?<name>EQ|MACROBUTTON|LISTNUM|AUTONUM(?:LGL|OUT)?)(?:\s+(?:\S+\s(?<shown>.*))?|$)/is;

/** The text of a button; null for another field, which is counted where Word shows it by its instruction. */
function shownBy(instruction: string, { onUnread }: PartPreparation): XmlNode[] | null {
  const { name = '', shown = '' } = FIELD_WITHOUT_RESULT.exec(instruction)?.groups ?? {};
  if (/^M/i.test(name)) return [element('w:t', [text(shown)])];
  if (name !== '') onUnread(/^E/i.test(name) ? 'equation' : 'symbol');
  return null;
}

function counted(kind: UnreadPart['kind']) {
  return (_element: XmlElement, { onUnread }: PartPreparation): XmlNode[] => {
    onUnread(kind);
    return [];
  };
}

function preparedRun(run: XmlElement, preparation: PartPreparation): XmlNode[] {
  const { isHidden, isTiny, isWhite, isStruck, isOnColour } = lookOfRun(run, preparation);
  const isSeen = !isHidden && !isTiny && (!isWhite || isOnColour || preparation.isOnColour);
  if (hasText(run) && (isStruck || !isSeen)) preparation.onUnread(isSeen ? 'struck_text' : 'hidden_text');
  return isSeen ? [withChildren(withSymbols(run), preparation)] : [];
}

/** Fonts whose characters are pictures, which Word stores at private codes. @source ECMA-376 part 1, 17.3.3.30 */
const SYMBOL_FONT = /^(?:Wingdings(?: [23])?|Webdings|Symbol)$/;

/** With symbols that are written as private characters as elements, of which mammoth knows the characters or says that it does not. */
function withSymbols(run: XmlElement): XmlElement {
  const properties = childOf(run, 'w:rPr');
  const font = properties && childOf(properties, 'w:rFonts')?.attributes['w:ascii'];
  if (font === undefined || !SYMBOL_FONT.test(font)) return run;
  const symbolOf = (character: string) => {
    if (!PRIVATE.test(character)) return element('w:t', [text(character)]);
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return { ...element('w:sym'), attributes: { 'w:font': font, 'w:char': code } };
  };
  const children = run.children.flatMap((child) =>
    child.type === 'element' && child.name === 'w:t' ? Array.from(mathText(child), symbolOf) : [child],
  );
  return { ...run, children };
}

const PARTS_OF_DRAWINGS = { 'pic:pic': 'picture', 'c:chart': 'chart', 'dgm:relIds': 'diagram' } as const;

/** Pictures are counted; text boxes get the older form, which mammoth puts after their paragraph. */
function preparedDrawing(drawing: XmlElement, preparation: PartPreparation): XmlNode[] {
  for (const [name, kind] of Object.entries(PARTS_OF_DRAWINGS))
    elementsIn(drawing, name).forEach(() => preparation.onUnread(kind));
  const boxes = outermost(drawing, 'w:txbxContent').map((box) => textBox(withChildren(box, preparation).children));
  return boxes.length === 0 ? [] : [element('w:pict', boxes.flat())];
}

/** The entry of a drop-down field that is selected; null for another field. @source ECMA-376 part 1, 17.16.9 and 17.16.28 */
function selectedEntry(fieldCharacter: XmlElement): string | null {
  const [list] = elementsIn(fieldCharacter, 'w:ddList');
  if (!list) return null;
  const index = childOf(list, 'w:result') ?? childOf(list, 'w:default');
  const entry = elementsIn(list, 'w:listEntry')[Number(index?.attributes['w:val'] ?? 0)];
  return entry?.attributes['w:val'] ?? '';
}

/** What a run says itself, else its style, else the style of its paragraph. @source ECMA-376 part 1, 17.3.2 and 17.7.2 */
function lookOfRun(run: XmlElement, { styles, paragraphStyle }: PartPreparation): Look {
  const properties = childOf(run, 'w:rPr');
  const style = attributeOf(properties, 'w:rStyle');
  return { ...styles.get(paragraphStyle ?? ''), ...(style !== undefined && styles.get(style)), ...lookOf(properties) };
}

/** Text of fewer half-points is not seen on paper. */
const MIN_SIZE = 4;

/** A colour that is not seen on white paper. */
const WHITE = /^(?:F[5-9A-F]){3}$/i;

/** How text looks by these properties alone. */
function lookOf(properties: XmlElement | undefined): Look {
  if (!properties) return {};
  const isSet = (name: string) => {
    const setting = childOf(properties, name);
    return setting && isOn(setting.attributes['w:val'] ?? '');
  };
  const [isHidden, isStruck] = [isSet('w:vanish'), isSet('w:strike') ?? isSet('w:dstrike')];
  const [size, colour] = [attributeOf(properties, 'w:sz'), attributeOf(properties, 'w:color')];
  return {
    ...(isHidden !== undefined && { isHidden }),
    ...(isStruck !== undefined && { isStruck }),
    ...(size !== undefined && { isTiny: Number(size) < MIN_SIZE }),
    ...(colour !== undefined && { isWhite: WHITE.test(colour) }),
    ...(isShaded(properties) && { isOnColour: true }),
  };
}

/** @source ECMA-376 part 1, 22.9.2.7; a setting without a value is on */
function isOn(value: string): boolean {
  return !/^(?:0|false|off)$/.test(value);
}

/**
 * How styles show their text, by themselves or by the style that they are based on; that of paragraphs without a style also by an
 * empty id.
 *
 * @param root  of the part with the styles
 */
export function looksOf(root: XmlElement): Map<string, Look> {
  const styles = new Map(elementsIn(root, 'w:style').map((style) => [style.attributes['w:styleId'] ?? '', style]));
  const looks = new Map<string, Look>();
  const look = (id: string, depth = 0): Look => {
    const style = styles.get(id);
    if (!style || depth > styles.size) return {}; // a circle
    const own = { ...lookOf(childOf(style, 'w:rPr')), ...(isShaded(style) && { isOnColour: true }) };
    return { ...look(attributeOf(style, 'w:basedOn') ?? '', depth + 1), ...own };
  };
  for (const [id, { attributes }] of styles) {
    looks.set(id, look(id));
    if (attributes['w:type'] === 'paragraph' && isOn(attributes['w:default'] ?? '0')) looks.set('', look(id));
  }
  return looks;
}

const TEXT_ELEMENTS = new Set(['w:t', 'm:t', 'w:sym', 'w:txbxContent', 'v:textpath']);

function hasText({ children }: XmlElement): boolean {
  return children.some(
    (child) =>
      child.type === 'element' && child.name !== 'w:moveFrom' && (TEXT_ELEMENTS.has(child.name) || hasText(child)),
  );
}

function runOf(value: string): XmlElement {
  return element('w:r', [element('w:t', [text(value)])]);
}

function textBox(children: readonly XmlNode[]): XmlNode[] {
  return [element('v:textbox', [element('w:txbxContent', children)])];
}
