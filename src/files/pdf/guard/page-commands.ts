import {
  boxOn,
  type PageBox,
  commonBox,
  isIn,
  type Matrix,
  onPage,
  type PagePoint,
  boxAround,
  widened,
} from './boxes.ts';

/** What the commands of a page say that pdf.js does not pass on. */
export type CommandReport =
  | { readonly type: 'parser-outside' }
  | { readonly type: 'parser-picture'; readonly box: PageBox };

/** How the text is drawn whose font's name ends so: without a trace, or outside of what is shown, or in the colour of what is below it. */
export const DRAWN_AS = { invisible: ' invisible', unseen: ' unseen' } as const;

/** Text that pdf.js shows goes on in another item if its size differs. */
const OTHER_SIZE = 1 + 2 ** -30;

/** Most areas of a page that are remembered; on a page with more, only invisible text is looked for. */
const MAX_AREAS = 5_000;

/** As far as pdf.js's are used here. */
export interface Stream {
  readonly dict?: Dictionary | null;
}

interface Dictionary {
  get(key: string): unknown;
}

/** pdf.js's page in its worker, with what takes its reports. */
export interface ParserPage {
  readonly pageDict: object;
  readonly view: PageBox;
  readonly resources: Dictionary;
  getContentStream(): Promise<Stream | null>;
  report?: (report: CommandReport) => void;
}

/** pdf.js's state of a page's text; it is cloned for each `q` with what is stored here. */
export interface TextState {
  readonly ctm: Matrix;
  readonly textMatrix: Matrix;
  readonly font: { readonly isType3Font?: boolean } | null;
  fontSize: number;
  loadedName: string | null;
  look?: Look;
  /** Before its name and size were changed. */
  own?: { readonly loadedName: string; readonly fontSize: number };
}

/** How text and areas are drawn at a place of a page's commands. */
interface Look {
  readonly sheet: Sheet;
  /** Name of a colour; null for one that is not known, such as a pattern. */
  readonly fill: string | null;
  readonly space: string;
  readonly mode: number;
  /** Of lines. */
  readonly width: number;
  /** Whether nothing but its rectangle bounds what a rectangle fills, and nothing shines through. */
  readonly isPlain: boolean;
  readonly isTransparent: boolean;
  /** Around what a path lets through. */
  readonly clip: PageBox;
}

/** What is known of a page while its commands are read. */
interface Sheet {
  readonly page: ParserPage;
  /** In the order that they are drawn. */
  readonly areas: Area[];
  path: { readonly box: PageBox; readonly isRectangle: boolean } | null;
  /** Whether the path that is open bounds what is drawn after it. */
  isClip: boolean;
  /** Whether text goes on from where the matrix is. */
  hasText: boolean;
  /** Names of forms on the page that have been drawn. */
  readonly forms: Set<string>;
}

interface Area {
  readonly box: PageBox;
  /** Null where it is not known, or does not fill the box. */
  readonly fill: string | null;
  /** Whether it surely covers all of its box. */
  readonly isCover: boolean;
}

const [BLACK, WHITE] = [colourName(0, 0, 0), colourName(1, 1, 1)];

/** At the beginning of a page; what is on none, such as the drawing of a form field, has no look. */
export function lookOn(page: ParserPage): Look {
  const sheet: Sheet = { page, areas: [], path: null, isClip: false, hasText: false, forms: new Set() };
  const clip: PageBox = [-Infinity, -Infinity, Infinity, Infinity];
  return { sheet, fill: BLACK, space: 'DeviceGray', mode: 0, width: 1, isPlain: true, isTransparent: false, clip };
}

/** Colours that no reader tells apart have one name. */
function colourName(...shares: readonly number[]): string {
  return shares.map((share) => Math.round(share * 25)).join(' ');
}

interface Command {
  readonly state: TextState;
  readonly look: Look;
  readonly stream: Stream;
  readonly args: unknown[];
}

const setLook = (change: (command: Command) => Partial<Look>) => (command: Command) =>
  void (command.state.look = { ...command.look, ...change(command) });

const setClip = ({ state, look }: Command) => {
  look.sheet.isClip = true;
  state.look = { ...look, isPlain: false };
};

/** What follows from a command of a page, by its name. @source ISO 32000-1, annex A */
export const COMMANDS: Readonly<Record<string, (command: Command) => void>> = {
  Tr: setLook(({ args }) => ({ mode: Number(args[0]) })),
  g: setLook(({ args }) => ({ fill: fillOf('DeviceGray', args), space: 'DeviceGray' })),
  rg: setLook(({ args }) => ({ fill: fillOf('DeviceRGB', args), space: 'DeviceRGB' })),
  k: setLook(({ args }) => ({ fill: fillOf('DeviceCMYK', args), space: 'DeviceCMYK' })),
  cs: setLook(({ args }) => ({ fill: null, space: nameOf(args[0]) })),
  sc: setLook(({ args, look }) => ({ fill: fillOf(look.space, args) })),
  scn: setLook(({ args, look }) => ({ fill: fillOf(look.space, args) })),
  w: setLook(({ args }) => ({ width: Number(args[0]) })),
  gs: setLook((command) => {
    const state = resourceOf(command, 'ExtGState', command.args[0]);
    const opacity = isDictionary(state) ? state.get('ca') : undefined;
    return { isPlain: false, ...(typeof opacity === 'number' && { isTransparent: opacity === 0 }) };
  }),
  W: setClip,
  'W*': setClip,
  re: ({ state: { ctm }, look, args }) => {
    const [x = 0, y = 0, width = 0, height = 0] = args.map(Number);
    const isUpright = ctm[1] * ctm[2] === 0 || ctm[0] * ctm[3] === 0;
    addToPath(look, boxOn(ctm, [x, y, x + width, y + height]), isUpright);
  },
  m: addPoints,
  l: addPoints,
  c: addPoints,
  v: addPoints,
  y: addPoints,
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
  sh: ({ look: { sheet } }) => addArea(sheet, { box: sheet.page.view, fill: null, isCover: false }),
  Do: addObject,
  EI: addPicture,
  BDC: takeProperties,
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

function nameOf(name: unknown): string {
  return typeof name === 'object' && name !== null && 'name' in name ? String(name.name) : '';
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

function addToPath({ sheet }: Look, box: PageBox, isRectangle: boolean): void {
  const { path } = sheet;
  sheet.path = path ? { box: boxAround(path.box, box), isRectangle: false } : { box, isRectangle };
}

function addPoints({ state: { ctm }, look, args }: Command): void {
  for (let at = 0; at + 1 < args.length; at += 2) {
    const [x, y] = onPage(ctm, Number(args[at]), Number(args[at + 1]));
    addToPath(look, [x, y, x, y], false);
  }
}

/** Lines may be as wide as bars. */
function strokePath(command: Command): void {
  const { ctm } = command.state;
  const { sheet, width } = command.look;
  const half = (width * Math.hypot(ctm[0], ctm[1])) / 2;
  if (sheet.path) addArea(sheet, { box: widened(sheet.path.box, half), fill: null, isCover: false });
  endPath(command);
}

function fillPath(command: Command): void {
  const { sheet, fill, isPlain } = command.look;
  if (sheet.path) addArea(sheet, { box: sheet.path.box, fill, isCover: isPlain && sheet.path.isRectangle });
  endPath(command);
}

function endPath({ state, look }: Command): void {
  const { sheet, clip } = look;
  if (sheet.isClip && sheet.path) state.look = { ...look, clip: commonBox(clip, sheet.path.box) };
  Object.assign(sheet, { path: null, isClip: false });
}

function addArea({ areas }: Sheet, area: Area): void {
  if (areas.length <= MAX_AREAS) areas.push(area);
}

/** A picture fills the unit square. */
function addPicture({ state, look }: Command): void {
  const box = boxOn(state.ctm, [0, 0, 1, 1]);
  addArea(look.sheet, { box, fill: null, isCover: false });
  look.sheet.page.report?.({ type: 'parser-picture', box });
}

/** pdf.js passes over a form on the page that it has read before and that has no text: it may fill its whole box. */
function addObject(command: Command): void {
  const { state, look, args } = command;
  const { sheet } = look;
  const stream = resourceOf(command, 'XObject', args[0]) as Stream | undefined;
  const { dict } = stream ?? {};
  if (!dict) return;
  if (nameOf(dict.get('Subtype')) !== 'Form') return addPicture(command);
  const name = nameOf(args[0]);
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(dict.get('BBox'));
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(dict.get('Matrix'));
  const box = boxOn(state.ctm, boxOn([a, b, c, d, e, f], [left, bottom, right, top]));
  if (sheet.forms.has(name)) addArea(sheet, { box, fill: null, isCover: false });
  sheet.forms.add(name);
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}

/** Replaces the name of a list of properties by the list. */
function takeProperties(command: Command): void {
  const { args } = command;
  const list = nameOf(args[0]) === 'OC' ? null : resourceOf(command, 'Properties', args[1]);
  if (isDictionary(list)) args[1] = list;
}

/** A resource of a form on the page, or of the page. */
function resourceOf({ look, stream }: Command, kind: string, given: unknown): unknown {
  const name = nameOf(given);
  if (name === '') return undefined;
  for (const resources of [stream.dict?.get('Resources'), look.sheet.page.resources]) {
    const all = isDictionary(resources) ? resources.get(kind) : null;
    const one = isDictionary(all) ? all.get(name) : undefined;
    if (one !== undefined) return one;
  }
  return undefined;
}

function isDictionary(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && 'getRaw' in value;
}

/** Where a text is measured, in shares of its size from its beginning: within its first letter. */
const WITHIN = 0.3;

function showText({ state, look, args }: Command): void {
  if (!state.font || state.font.isType3Font || state.loadedName === null) return;
  const place = placeOf(state, WITHIN);
  const isOnPage = isIn(look.sheet.page.view, place);
  look.sheet.hasText = isOnPage && hasLetters(args);
  if (!isOnPage && hasLetters(args)) look.sheet.page.report?.({ type: 'parser-outside' });
  const isMarked = state.own !== undefined && state.loadedName.startsWith(`${state.own.loadedName} `);
  if (isMarked && state.own) Object.assign(state, state.own);
  const as = drawnAs(look, place, state);
  if (as === null) return;
  const { loadedName, fontSize } = state;
  state.own = { loadedName, fontSize };
  Object.assign(state, { loadedName: `${loadedName}${DRAWN_AS[as]}`, fontSize: fontSize * OTHER_SIZE });
}

/** A place beside the current one along the line, and as much above it, in sizes of the letters. */
function placeOf({ ctm, textMatrix, fontSize }: TextState, along: number): PagePoint {
  return onPage(ctm, ...onPage(textMatrix, along * fontSize, WITHIN * fontSize));
}

function drawnAs(look: Look, place: PagePoint, { ctm, fontSize }: TextState): keyof typeof DRAWN_AS | null {
  const isInvisible = look.mode === 3 || look.isTransparent;
  if (isInvisible && !look.sheet.areas.some(({ box, fill }) => fill !== WHITE && isIn(box, place))) return 'invisible';
  const size = fontSize * Math.hypot(ctm[0], ctm[1]); // text that the edge of a clip cuts is seen in part
  if (!isIn(widened(look.clip, Math.abs(size)), place)) return 'unseen';
  return look.mode === 0 && isCovered(look, place) ? 'unseen' : null;
}

/** pdf.js leaves out the letters beyond the edge of a page. */
function endText({ state, look: { sheet } }: Command): void {
  const hasEnd = sheet.hasText && !isIn(sheet.page.view, placeOf(state, -WITHIN));
  if (hasEnd) sheet.page.report?.({ type: 'parser-outside' });
  sheet.hasText = false;
}

function hasLetters(args: readonly unknown[]): boolean {
  return args.flat().some((part) => typeof part === 'string' && /[^\s\0]/.test(part));
}

/** Whether text has the colour of the area below it; white text, if nothing but white is there. */
function isCovered({ sheet: { areas }, fill }: Look, place: PagePoint): boolean {
  if (fill === null || areas.length > MAX_AREAS) return false;
  const isAt = ({ box }: Area) => isIn(box, place);
  if (fill === WHITE) return areas.every((area) => area.fill === WHITE || !isAt(area));
  const below = areas.some((area) => area.fill === fill) ? areas.findLast(isAt) : undefined;
  return below !== undefined && below.isCover && below.fill === fill;
}
