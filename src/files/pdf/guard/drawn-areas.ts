import { areaOf, boxOn, type PageBox, commonBox, onPage, boxAround, widened } from './boxes.ts';
import {
  ALL,
  type Area,
  type PageCommand,
  type Dictionary,
  type GraphicsState,
  MAX_PICTURES,
  pdfName,
  resourceOf,
  type Stream,
  WHITE,
} from './graphics-state.ts';

/** Most areas of a page that are remembered; on a page with more, only invisible text is looked for. */
export const MAX_AREAS = 5_000;

/** Most parts of a path that are looked at one by one. */
const MAX_PARTS = 200;

/** @param isPart  whether another part of the path begins */
export function addToPath({ pageState }: GraphicsState, box: PageBox, isRectangle: boolean, isPart: boolean): void {
  const { path } = pageState;
  const parts = path?.parts ?? [];
  const last = parts.at(-1);
  if (last && (!isPart || parts.length > MAX_PARTS)) parts[parts.length - 1] = boxAround(last, box);
  else parts.push(box);
  pageState.path = path ? { box: boxAround(path.box, box), isRectangle: false, parts } : { box, isRectangle, parts };
}

export function addPoints({ state: { ctm }, graphics, args }: PageCommand, isPart = false): void {
  for (let at = 0; at + 1 < args.length; at += 2) {
    const [x, y] = onPage(ctm, Number(args[at]), Number(args[at + 1]));
    addToPath(graphics, [x, y, x, y], false, isPart);
  }
}

/** Lines may be as wide as bars. */
export function strokePath(command: PageCommand): void {
  const { ctm } = command.state;
  const { pageState, width } = command.graphics;
  const half = (width * Math.hypot(ctm[0], ctm[1])) / 2;
  if (pageState.path) addArea(command, { box: widened(pageState.path.box, half), fill: null, isCover: false });
  for (const [left, bottom, right, top] of pageState.path?.parts ?? [])
    addRule(command, [left, bottom - half, right, top + half]);
  endPath(command);
}

export function fillPath(command: PageCommand): void {
  const { pageState, fill, opacity, space } = command.graphics;
  if (pageState.path) {
    const { isRectangle, parts } = pageState.path;
    const area = addArea(command, { box: pageState.path.box, fill, isCover: isPlain(command.graphics) && isRectangle });
    if (area.isCover && space !== 'Pattern' && !isInLayer(command)) pageState.texts.cover('area', area.box);
    if (fill !== WHITE && opacity > 0) for (const box of parts) addRule(command, box);
  }
  endPath(command);
}

/** Whether nothing but its outline bounds what is drawn, and nothing shines through. */
function isPlain({ opacity, isMixed, isClipBox }: GraphicsState): boolean {
  return opacity === 1 && !isMixed && isClipBox;
}

/** Layers may be hidden. */
function isInLayer({ graphics: { pageState }, stream }: PageCommand): boolean {
  return pageState.layers.includes(true) || pageState.forms.get(keyOf(stream.dict))?.isLayer === true;
}

/** Of a form; pdf.js makes its dictionary again each time. */
function keyOf(dict: Dictionary | null | undefined): unknown {
  return dict?.objId ?? dict;
}

/** Most thickness and least length of a line that may strike text, in units of the page. */
const [MAX_RULE, MIN_RULE] = [4, 4];

function addRule(command: PageCommand, box: PageBox): void {
  const [left, bottom, right, top] = shownPart(command, box);
  if (top >= bottom && top - bottom <= MAX_RULE && right - left >= MIN_RULE)
    command.graphics.pageState.texts.rule([left, bottom, right, top]);
}

export function endPath({ state, graphics }: PageCommand): void {
  const { pageState, clip, isClipBox } = graphics;
  if (pageState.isClip && pageState.path)
    state.graphics = {
      ...graphics,
      clip: commonBox(clip, pageState.path.box),
      isClipBox: isClipBox && pageState.path.isRectangle,
    };
  Object.assign(pageState, { path: null, isClip: false });
}

/** What a path around and the form around let through. */
function shownPart({ graphics: { pageState, clip }, stream }: PageCommand, box: PageBox): PageBox {
  return commonBox(commonBox(box, clip), pageState.forms.get(keyOf(stream.dict))?.box ?? ALL);
}

export function addArea(command: PageCommand, given: Area): Area {
  const { areas } = command.graphics.pageState;
  const area = { ...given, box: shownPart(command, given.box) };
  if (areas.length <= MAX_AREAS) areas.push(area);
  return area;
}

/** Entries of a picture that shows in part, or not always. @source ISO 32000-1, table 89 */
const SEEN_THROUGH = ['SMask', 'Mask', 'ImageMask', 'SMaskInData', 'OC'];

/** A picture fills the unit square. */
export function addPicture(command: PageCommand, dict?: Dictionary): void {
  const { page, texts } = command.graphics.pageState;
  const given = boxOn(command.state.ctm, [0, 0, 1, 1]);
  const { box } = addArea(command, { box: given, fill: null, isCover: false });
  page.report?.({ type: 'parser-picture', box: given });
  page.pictureArea = (page.pictureArea ?? 0) + areaOf(box);
  const isOpaque = dict && SEEN_THROUGH.every((key) => dict.getRaw(key) === undefined);
  const isSmall = areaOf(box) <= MAX_PICTURES * areaOf(page.view);
  if (isOpaque && isSmall && isPlain(command.graphics) && !isInLayer(command)) texts.cover('picture', box);
}

/** pdf.js passes over a form on the page that it has read before and that has no text: it may fill its whole box. */
export function addObject(command: PageCommand): void {
  const { state, graphics, args } = command;
  const { pageState } = graphics;
  const stream = resourceOf(command, 'XObject', args[0]) as Stream | undefined;
  const { dict } = stream ?? {};
  if (!dict) return;
  if (pdfName(dict.get('Subtype')) !== 'Form') return addPicture(command, dict);
  const key = keyOf(dict);
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(dict.get('BBox'));
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(dict.get('Matrix'));
  const box = boxOn(state.ctm, boxOn([a, b, c, d, e, f], [left, bottom, right, top]));
  if (pageState.forms.has(key)) addArea(command, { box, fill: null, isCover: false });
  pageState.forms.set(key, {
    box: shownPart(command, box),
    isLayer: isInLayer(command) || dict.getRaw('OC') !== undefined,
  });
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
