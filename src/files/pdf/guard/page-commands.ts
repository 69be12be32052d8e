import { boxOn, isIn, onPage, type PagePoint, widened } from './boxes.ts';
import {
  addArea,
  addObject,
  addPicture,
  addPoints,
  addToPath,
  endPath,
  fillPath,
  MAX_AREAS,
  strokePath,
} from './drawn-areas.ts';
import {
  type Area,
  colourName,
  INK,
  type PageCommand,
  type Dictionary,
  isDictionary,
  type GraphicsState,
  pdfName,
  resourceOf,
  type TextState,
  WHITE,
} from './graphics-state.ts';

/** How the text is drawn whose font's name ends so: without a trace, or outside of what is shown, or in the colour of what is below it. */
export const DRAWN_AS = { invisible: ' invisible', unseen: ' unseen' } as const;

/** Text that pdf.js shows goes on in another item if its size differs. */
const OTHER_SIZE = 1 + 2 ** -30;

const setGraphics = (change: (command: PageCommand) => Partial<GraphicsState>) => (command: PageCommand) =>
  void (command.state.graphics = { ...command.graphics, ...change(command) });

const setClip = ({ graphics: { pageState } }: PageCommand) => void (pageState.isClip = true);

/** What follows from a command of a page, by its name. @source ISO 32000-1, annex A */
export const COMMANDS: Readonly<Record<string, (command: PageCommand) => void>> = {
  // Text of the modes from 4 on bounds what comes after it.
  Tr: setGraphics(({ args, graphics }) => ({
    mode: Number(args[0]),
    isClipBox: graphics.isClipBox && Number(args[0]) < 4,
  })),
  g: setGraphics(({ args }) => ({ fill: fillOf('DeviceGray', args), space: 'DeviceGray' })),
  rg: setGraphics(({ args }) => ({ fill: fillOf('DeviceRGB', args), space: 'DeviceRGB' })),
  k: setGraphics(({ args }) => ({ fill: fillOf('DeviceCMYK', args), space: 'DeviceCMYK' })),
  cs: setGraphics(({ args }) => ({ fill: null, space: pdfName(args[0]) })),
  sc: setGraphics(({ args, graphics }) => ({ fill: fillOf(graphics.space, args) })),
  scn: setGraphics(({ args, graphics }) => ({
    fill: fillOf(graphics.space, args),
    space: pdfName(args.at(-1)) === '' ? graphics.space : 'Pattern',
  })),
  w: setGraphics(({ args }) => ({ width: Number(args[0]) })),
  gs: setGraphics((command) => {
    const state = resourceOf(command, 'ExtGState', command.args[0]);
    return isDictionary(state) ? mixedBy(state, command.graphics) : { isMixed: true };
  }),
  W: setClip,
  'W*': setClip,
  re: ({ state: { ctm }, graphics, args }) => {
    const [x = 0, y = 0, width = 0, height = 0] = args.map(Number);
    const isUpright = ctm[1] * ctm[2] === 0 || ctm[0] * ctm[3] === 0;
    addToPath(graphics, boxOn(ctm, [x, y, x + width, y + height]), isUpright, true);
  },
  m: (command) => addPoints(command, true),
  l: (command) => addPoints(command),
  c: (command) => addPoints(command),
  v: (command) => addPoints(command),
  y: (command) => addPoints(command),
  n: endPath,
  S: strokePath,
  s: strokePath,
  f: fillPath,
  F: fillPath,
  'f*': fillPath,
  B: fillPath,
  'B*': fillPath,
  b: fillPath,
  'b*': fillPath,
  sh: (command) => void addArea(command, { box: command.graphics.pageState.page.view, fill: null, isCover: false }),
  Do: addObject,
  EI: (command) => addPicture(command),
  BMC: ({ graphics: { pageState } }) => void pageState.layers.push(false),
  BDC: takeProperties,
  EMC: ({ graphics: { pageState } }) => void pageState.layers.pop(),
  Tj: showText,
  TJ: showText,
  "'": showText,
  '"': showText,
  Td: endText,
  TD: endText,
  'T*': endText,
  Tm: endText,
  ET: endText,
};

/** What parameters say about what shines through. @source ISO 32000-1, section 11.6 */
function mixedBy(state: Dictionary, { opacity, isMixed }: GraphicsState): Pick<GraphicsState, 'opacity' | 'isMixed'> {
  const [given, mode, mask] = ['ca', 'BM', 'SMask'].map((key) => state.get(key));
  const mixes = mode !== undefined && !/^(?:Normal|Compatible)$/.test(pdfName(mode));
  const masks = mask !== undefined && pdfName(mask) !== 'None';
  const isNormal = mode !== undefined && mask !== undefined && !mixes && !masks;
  return {
    opacity: typeof given === 'number' ? given : opacity,
    isMixed: mixes || masks || (isMixed && !isNormal),
  };
}

/** The name of a colour. In an unknown space only white is told, as no ink or full light; one number might be either. */
function fillOf(space: string, args: readonly unknown[]): string | null {
  const [first = NaN, second = NaN, third = NaN, black = NaN] = args.map(Number);
  if (space === 'DeviceGray') return colourName(first, first, first);
  if (args.length === 3 && (space === 'DeviceRGB' || first + second + third > 2.94))
    return colourName(first, second, third);
  const light = (ink: number) => (1 - ink) * (1 - black);
  if (args.length === 4 && (space === 'DeviceCMYK' || first + second + third + black < 0.06))
    return colourName(light(first), light(second), light(third));
  return null;
}

/** Replaces the name of a list of properties by the list. */
function takeProperties(command: PageCommand): void {
  const { args } = command;
  const isLayer = pdfName(args[0]) === 'OC';
  command.graphics.pageState.layers.push(isLayer);
  const list = isLayer ? null : resourceOf(command, 'Properties', args[1]);
  if (isDictionary(list)) args[1] = list;
}

/** Where a text is measured, in shares of its size from its beginning: within its first letter. */
const WITHIN = 0.3;

function showText({ state, graphics, args }: PageCommand): void {
  graphics.pageState.texts.end(state);
  if (!state.font || state.font.isType3Font || state.loadedName === null) return;
  const place = placeOf(state, WITHIN);
  const isOnPage = isIn(graphics.pageState.page.view, place);
  const isText = hasInk(state.font, args);
  graphics.pageState.hasText = isOnPage && isText;
  if (!isOnPage && isText) graphics.pageState.page.report?.({ type: 'parser-outside' });
  const isMarked = state.own !== undefined && state.loadedName.startsWith(`${state.own.loadedName} `);
  if (isMarked && state.own) Object.assign(state, state.own);
  let as = drawnAs(graphics, place, state);
  if (as === null && isText && graphics.pageState.texts.begin(state)) as = 'unseen';
  if (as === null) return;
  const { loadedName, fontSize } = state;
  state.own = { loadedName, fontSize };
  Object.assign(state, { loadedName: `${loadedName}${DRAWN_AS[as]}`, fontSize: fontSize * OTHER_SIZE });
}

/** A place beside the current one along the line, and as much above it, in sizes of the letters. */
function placeOf({ ctm, textMatrix, fontSize }: TextState, along: number, above = WITHIN): PagePoint {
  return onPage(ctm, ...onPage(textMatrix, along * fontSize, above * fontSize));
}

function drawnAs(graphics: GraphicsState, place: PagePoint, state: TextState): keyof typeof DRAWN_AS | null {
  const isInvisible = graphics.mode === 3 || graphics.opacity === 0;
  if (isInvisible && !graphics.pageState.areas.some(({ box, fill }) => fill !== WHITE && isIn(box, place)))
    return 'invisible';
  const size = state.fontSize * Math.hypot(state.ctm[0], state.ctm[1]); // text that the edge of a clip cuts is seen in part
  if (!isIn(widened(graphics.clip, Math.abs(size)), place)) return 'unseen';
  return graphics.mode === 0 && isCovered(graphics, place, state) ? 'unseen' : null;
}

/** pdf.js leaves out the letters beyond the edge of a page. */
function endText({ state, graphics: { pageState } }: PageCommand): void {
  pageState.texts.end(state);
  const hasEnd = pageState.hasText && !isIn(pageState.page.view, placeOf(state, -WITHIN));
  if (hasEnd) pageState.page.report?.({ type: 'parser-outside' });
  pageState.hasText = false;
}

/** Whether a text is more than spaces, which fonts may have at any code. */
function hasInk(font: NonNullable<TextState['font']>, args: readonly unknown[]): boolean {
  return args.some((part) =>
    typeof part === 'string'
      ? font.charsToGlyphs(part).some(({ unicode }) => INK.test(unicode))
      : Array.isArray(part) && hasInk(font, part),
  );
}

/** Whether text has the colour of the area below it; white text, if nothing but white is there. */
function isCovered({ pageState: { areas }, fill }: GraphicsState, place: PagePoint, state: TextState): boolean {
  if (fill === null || areas.length > MAX_AREAS) return false;
  const isAt = ({ box }: Area) => isIn(box, place);
  if (fill === WHITE) return areas.every((area) => area.fill === WHITE || !isAt(area));
  const below = areas.some((area) => area.fill === fill) ? areas.findLast(isAt) : undefined;
  if (!below?.isCover || below.fill !== fill) return false;
  return isIn(below.box, placeOf(state, WITHIN, 2 * WITHIN)); // not a line through it
}
