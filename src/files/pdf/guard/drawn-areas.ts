import { areaOf, boxOn, type PageBox, commonBox, onPage, boxAround, widened } from './boxes.ts';
import {
  ALL,
  type Area,
  type Command,
  type Dictionary,
  type Look,
  MAX_PICTURES,
  nameOf,
  resourceOf,
  type Stream,
  WHITE,
} from './page-look.ts';

/** Most areas of a page that are remembered; on a page with more, only invisible text is looked for. */
export const MAX_AREAS = 5_000;

/** Most parts of a path that are looked at one by one. */
const MAX_PARTS = 200;

/** @param isPart  whether another part of the path begins */
export function addToPath({ sheet }: Look, box: PageBox, isRectangle: boolean, isPart: boolean): void {
  const { path } = sheet;
  const parts = path?.parts ?? [];
  const last = parts.at(-1);
  if (last && (!isPart || parts.length > MAX_PARTS)) parts[parts.length - 1] = boxAround(last, box);
  else parts.push(box);
  sheet.path = path ? { box: boxAround(path.box, box), isRectangle: false, parts } : { box, isRectangle, parts };
}

export function addPoints({ state: { ctm }, look, args }: Command, isPart = false): void {
  for (let at = 0; at + 1 < args.length; at += 2) {
    const [x, y] = onPage(ctm, Number(args[at]), Number(args[at + 1]));
    addToPath(look, [x, y, x, y], false, isPart);
  }
}

/** Lines may be as wide as bars. */
export function strokePath(command: Command): void {
  const { ctm } = command.state;
  const { sheet, width } = command.look;
  const half = (width * Math.hypot(ctm[0], ctm[1])) / 2;
  if (sheet.path) addArea(command, { box: widened(sheet.path.box, half), fill: null, isCover: false });
  for (const [left, bottom, right, top] of sheet.path?.parts ?? [])
    addRule(command, [left, bottom - half, right, top + half]);
  endPath(command);
}

export function fillPath(command: Command): void {
  const { sheet, fill, opacity, space } = command.look;
  if (sheet.path) {
    const { isRectangle, parts } = sheet.path;
    const area = addArea(command, { box: sheet.path.box, fill, isCover: isPlain(command.look) && isRectangle });
    if (area.isCover && space !== 'Pattern' && !isInLayer(command)) sheet.texts.cover('area', area.box);
    if (fill !== WHITE && opacity > 0) for (const box of parts) addRule(command, box);
  }
  endPath(command);
}

/** Whether nothing but its outline bounds what is drawn, and nothing shines through. */
function isPlain({ opacity, isMixed, isClipBox }: Look): boolean {
  return opacity === 1 && !isMixed && isClipBox;
}

/** Layers may be hidden. */
function isInLayer({ look: { sheet }, stream }: Command): boolean {
  return sheet.layers.includes(true) || sheet.forms.get(keyOf(stream.dict))?.isLayer === true;
}

/** Of a form; pdf.js makes its dictionary again each time. */
function keyOf(dict: Dictionary | null | undefined): unknown {
  return dict?.objId ?? dict;
}

/** Most thickness and least length of a line that may strike text, in units of the page. */
const [MAX_RULE, MIN_RULE] = [4, 4];

function addRule(command: Command, box: PageBox): void {
  const [left, bottom, right, top] = shownPart(command, box);
  if (top >= bottom && top - bottom <= MAX_RULE && right - left >= MIN_RULE)
    command.look.sheet.texts.rule([left, bottom, right, top]);
}

export function endPath({ state, look }: Command): void {
  const { sheet, clip, isClipBox } = look;
  if (sheet.isClip && sheet.path)
    state.look = { ...look, clip: commonBox(clip, sheet.path.box), isClipBox: isClipBox && sheet.path.isRectangle };
  Object.assign(sheet, { path: null, isClip: false });
}

/** What a path around and the form around let through. */
function shownPart({ look: { sheet, clip }, stream }: Command, box: PageBox): PageBox {
  return commonBox(commonBox(box, clip), sheet.forms.get(keyOf(stream.dict))?.box ?? ALL);
}

export function addArea(command: Command, given: Area): Area {
  const { areas } = command.look.sheet;
  const area = { ...given, box: shownPart(command, given.box) };
  if (areas.length <= MAX_AREAS) areas.push(area);
  return area;
}

/** Entries of a picture that shows in part, or not always. @source ISO 32000-1, table 89 */
const SEEN_THROUGH = ['SMask', 'Mask', 'ImageMask', 'SMaskInData', 'OC'];

/** A picture fills the unit square. */
export function addPicture(command: Command, dict?: Dictionary): void {
  const { page, texts } = command.look.sheet;
  const given = boxOn(command.state.ctm, [0, 0, 1, 1]);
  const { box } = addArea(command, { box: given, fill: null, isCover: false });
  page.report?.({ type: 'parser-picture', box: given });
  page.pictureArea = (page.pictureArea ?? 0) + areaOf(box);
  const isOpaque = dict && SEEN_THROUGH.every((key) => dict.getRaw(key) === undefined);
  const isSmall = areaOf(box) <= MAX_PICTURES * areaOf(page.view);
  if (isOpaque && isSmall && isPlain(command.look) && !isInLayer(command)) texts.cover('picture', box);
}

/** pdf.js passes over a form on the page that it has read before and that has no text: it may fill its whole box. */
export function addObject(command: Command): void {
  const { state, look, args } = command;
  const { sheet } = look;
  const stream = resourceOf(command, 'XObject', args[0]) as Stream | undefined;
  const { dict } = stream ?? {};
  if (!dict) return;
  if (nameOf(dict.get('Subtype')) !== 'Form') return addPicture(command, dict);
  const key = keyOf(dict);
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(dict.get('BBox'));
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(dict.get('Matrix'));
  const box = boxOn(state.ctm, boxOn([a, b, c, d, e, f], [left, bottom, right, top]));
  if (sheet.forms.has(key)) addArea(command, { box, fill: null, isCover: false });
  sheet.forms.set(key, {
    box: shownPart(command, box),
    isLayer: isInLayer(command) || dict.getRaw('OC') !== undefined,
  });
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
