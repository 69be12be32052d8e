import { areaOf, type Matrix, type PageBox } from './boxes.ts';
import { type FollowedPage, followTexts, type ShownTexts, type TextReport } from './shown-texts.ts';

/** What the commands of a page say that pdf.js does not pass on. */
export type CommandReport =
  | { readonly type: 'parser-outside' }
  | TextReport
  | { readonly type: 'parser-picture'; readonly box: PageBox };

/** As far as pdf.js's are used here. */
export interface Stream {
  readonly dict?: Dictionary | null;
}

export interface Dictionary {
  get(key: string): unknown;
  getRaw(key: string): unknown;
  /** Where it is an object of its own. */
  readonly objId?: string;
}

/** pdf.js's page in its worker, with what takes its reports. */
export interface ParserPage extends FollowedPage {
  readonly pageDict: object;
  readonly view: PageBox;
  readonly resources: Dictionary;
  getContentStream(): Promise<Stream | null>;
  report?: (report: CommandReport) => void;
  /** Of its pictures, when the page was read before. */
  pictureArea?: number;
}

interface Font {
  readonly isType3Font?: boolean;
  charsToGlyphs(chars: string): readonly { readonly unicode: string }[];
}

/** A character that is drawn. */
export const INK = /[^\s\p{Cc}\p{Cf}]/u;

/** pdf.js's state of a page's text; it is cloned for each `q` with what is stored here. */
export interface TextState {
  readonly ctm: Matrix;
  readonly textMatrix: Matrix;
  readonly font: Font | null;
  fontSize: number;
  loadedName: string | null;
  graphics?: GraphicsState;
  /** Before its name and size were changed. */
  own?: { readonly loadedName: string; readonly fontSize: number };
}

/** How text and areas are drawn at a place of a page's commands. @source ISO 32000-1, section 8.4 */
export interface GraphicsState {
  readonly pageState: PageState;
  /** Name of a colour; null for one that is not known, such as a pattern. */
  readonly fill: string | null;
  readonly space: string;
  readonly mode: number;
  /** Of lines. */
  readonly width: number;
  /** Of what is filled: from 0, which draws nothing, to 1. */
  readonly opacity: number;
  /** Whether what is filled may be mixed with what is below it, or go through a mask. */
  readonly isMixed: boolean;
  /** Around what a path lets through, and whether that is all of it. */
  readonly clip: PageBox;
  readonly isClipBox: boolean;
}

/** What is known of a page while its commands are read. */
interface PageState {
  readonly page: ParserPage;
  /** In the order that they are drawn. */
  readonly areas: Area[];
  path: { readonly box: PageBox; readonly isRectangle: boolean; readonly parts: PageBox[] } | null;
  /** Whether the path that is open bounds what is drawn after it. */
  isClip: boolean;
  /** Whether text goes on from where the matrix is. */
  hasText: boolean;
  /** Forms on the page that have been drawn: what each lets through where it was drawn last, and whether it is in a layer. */
  readonly forms: Map<unknown, { readonly box: PageBox; readonly isLayer: boolean }>;
  /** Whether each marked content that is open is a layer, which may be hidden. */
  readonly layers: boolean[];
  readonly texts: ShownTexts;
}

export interface Area {
  readonly box: PageBox;
  /** Null where it is not known, or does not fill the box. */
  readonly fill: string | null;
  /** Whether it surely covers all of its box. */
  readonly isCover: boolean;
}

/** Share of a page that pictures fill at most which hide text; below those of a scan is what was recognised in them. */
export const MAX_PICTURES = 0.5;

export const ALL: PageBox = [-Infinity, -Infinity, Infinity, Infinity];

export const [BLACK, WHITE] = [colourName(0, 0, 0), colourName(1, 1, 1)];

/** At the beginning of a page; what is on none, such as the drawing of a form field, has no graphics state. */
export function graphicsOn(page: ParserPage): GraphicsState {
  const isScan = (page.pictureArea ?? 0) > MAX_PICTURES * areaOf(page.view);
  page.pictureArea = 0;
  const pageState: PageState = {
    page,
    areas: [],
    path: null,
    isClip: false,
    hasText: false,
    forms: new Map(),
    layers: [],
    texts: followTexts(page, isScan),
  };
  const drawn = { fill: BLACK, space: 'DeviceGray', mode: 0, width: 1, opacity: 1, isMixed: false };
  return { pageState, clip: ALL, isClipBox: true, ...drawn };
}

/** Colours that no reader tells apart have one name. */
export function colourName(...shares: readonly number[]): string {
  return shares.map((share) => Math.round(share * 25)).join(' ');
}

/** A command of a page, and what its state is. */
export interface PageCommand {
  readonly state: TextState;
  readonly graphics: GraphicsState;
  readonly stream: Stream;
  readonly args: unknown[];
}

/** The text of a name in a file; '' for anything else. */
export function pdfName(name: unknown): string {
  return typeof name === 'object' && name !== null && 'name' in name ? String(name.name) : '';
}

/** A resource of a form on the page, or of the page. */
export function resourceOf({ graphics, stream }: PageCommand, kind: string, given: unknown): unknown {
  const name = pdfName(given);
  if (name === '') return undefined;
  for (const resources of [stream.dict?.get('Resources'), graphics.pageState.page.resources]) {
    const all = isDictionary(resources) ? resources.get(kind) : null;
    const one = isDictionary(all) ? all.get(name) : undefined;
    if (one !== undefined) return one;
  }
  return undefined;
}

export function isDictionary(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && 'getRaw' in value;
}
