import { codePointMap } from '../../contract/code-points.ts';
import type { ImageControl, Prompt, PromptItem } from '../../contract/prompt.ts';
import type { ImageFormat, JobControl, JobImage, JobPrompt, JobPromptItem, Square } from '../../protocol/model-job.ts';
import { FailureError } from '../../contract/failure.ts';
import type { Model } from '../../models/model.ts';
import { decodeBase64, invalid, wellFormed } from './text.ts';

interface PromptTools {
  /** Default: false, an empty prompt is refused. */
  readonly mayBeEmpty?: boolean;
  readonly model: Pick<Model, 'name' | 'capabilities'>;
}

/**
 * A prompt checked as far as that needs no model; spans become UTF-16 here and nowhere else.
 *
 * @param path  of the prompt in the request
 * @throws {FailureError} INVALID_REQUEST for an empty prompt, text that is not well-formed, a control that reaches
 *   beyond its item, or an image that `jobImage` refuses; MISSING_CAPABILITY for an image that the model cannot read
 */
export async function jobPrompt(prompt: Prompt, path: string, tools: PromptTools): Promise<JobPrompt> {
  const given = itemsOfPrompt(prompt);
  if (given.every(isEmpty) && !tools.mayBeEmpty) throw invalid(path, 'at least one token', 'an empty prompt');
  const items: JobPromptItem[] = [];
  for (const [index, item] of given.entries()) items.push(await jobItem(item, `${path}[${index}]`, tools));
  return { path, items };
}

/** The items of a prompt, one for a plain string. */
export function itemsOfPrompt(prompt: Prompt): readonly PromptItem[] {
  return typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
}

/** Whether an item is empty; an image never is. */
export function isEmpty({ type, data }: PromptItem): boolean {
  return type !== 'image' && data.length === 0;
}

async function jobItem(item: PromptItem, path: string, { model }: PromptTools): Promise<JobPromptItem> {
  switch (item.type) {
    case 'text':
      return {
        type: 'text',
        text: wellFormed(item.data, `${path}.data`),
        controls: textControls(item, path),
      };
    case 'token_ids':
      return { type: 'token_ids', ids: item.data, controls: tokenControls(item, path) };
    case 'image':
      checkReadsImages(model, path);
      return jobImage(item, path);
  }
}

function checkReadsImages({ name, capabilities }: PromptTools['model'], path: string): void {
  if (capabilities.includes('images')) return;
  const expected = `expected text or token ids, which are all that "${name}" reads`;
  throw new FailureError('MISSING_CAPABILITY', `${path}: ${expected}, got an image`);
}

function textControls({ data, controls }: Item<'text'>, path: string): JobControl[] {
  if (!controls?.length) return [];
  const map = codePointMap(data);
  return controls.map(({ start, length, factor, token_overlap: overlap }, i) => {
    if (start + length > map.length)
      throw invalid(`${path}.controls[${i}]`, `start + length of at most ${map.length}`, `${start + length}`);
    return { span: map.toUtf16({ start, length }), factor, overlap: overlap ?? 'partial' };
  });
}

function tokenControls({ data, controls }: Item<'token_ids'>, path: string): JobControl[] {
  return (controls ?? []).map(({ index, factor }, i) => {
    if (index >= data.length) throw invalid(`${path}.controls[${i}].index`, `less than ${data.length}`, `${index}`);
    return { index, factor, overlap: 'complete' };
  });
}

type Item<Type extends PromptItem['type']> = Extract<PromptItem, { type: Type }>;

/** A larger picture takes more than 256 MiB while it is decoded. */
const MAX_PIXELS = 2 ** 26;

/** Rectangles may reach beyond the picture by rounded decimals. */
const ROUNDING = 1e-6;

/**
 * An image item as bytes, its header read.
 *
 * @param path  of the item in the request
 * @throws {FailureError} INVALID_REQUEST for broken base64, another format than PNG, JPEG or WebP, a header that names no
 *   size or too large a one, an incomplete crop, or a control that reaches beyond the picture. Whether the crop is inside
 *   is known once the picture is decoded: its metadata may rotate it
 */
async function jobImage(item: Item<'image'>, path: string): Promise<JobImage> {
  const crop = cropOf(item, path);
  const controls = (item.controls ?? []).map((control, i) => imageControl(control, `${path}.controls[${i}].rect`));
  return { type: 'image', ...(await imageFile(item.data, `${path}.data`)), crop, controls };
}

/**
 * A picture without a crop or controls.
 *
 * @param data  its file in base64
 * @param path  of `data` in the request
 * @throws {FailureError} as `jobPrompt` does for an image
 */
export async function wholeImage(data: string, path: string, model: PromptTools['model']): Promise<JobImage> {
  checkReadsImages(model, path);
  return { type: 'image', path, ...(await imageFile(data, path)), crop: null, controls: [] };
}

async function imageFile(data: string, path: string): Promise<Pick<JobImage, 'file' | 'format'>> {
  const file = await decodeBase64(data, path);
  return { file, format: checkedFormat(file, path) };
}

function checkedFormat(file: Uint8Array, path: string): ImageFormat {
  const header = imageHeader(file);
  if (!header) throw invalid(path, 'a PNG, JPEG or WebP file', `${file.length} bytes of another format`);
  if (!header.size) throw invalid(path, `a whole ${header.format} file`, `${file.length} bytes that name no size`);
  const { width, height } = header.size;
  if (width === 0 || height === 0) throw invalid(path, 'a picture with pixels', `one of ${width} × ${height}`);
  if (width * height > MAX_PIXELS)
    throw invalid(path, `a picture of at most ${MAX_PIXELS} pixels`, `one of ${width} × ${height}`);
  return header.format;
}

/** @source contract facts §1.2: x, y and size together, or the square in the middle */
function cropOf({ x, y, size }: Item<'image'>, path: string): Square | null {
  const given = Object.entries({ x, y, size }).filter(([, value]) => typeof value === 'number');
  if (given.length === 0) return null;
  if (typeof x === 'number' && typeof y === 'number' && typeof size === 'number') return { x, y, size };
  throw invalid(path, 'x, y and size together, or none of them', `only ${given.map(([name]) => name).join(' and ')}`);
}

function imageControl({ rect, factor, token_overlap: overlap }: ImageControl, path: string): JobControl {
  const { left, top, width, height } = rect;
  if (left + width > 1 + ROUNDING) throw invalid(path, 'left + width of at most 1', `${left + width}`);
  if (top + height > 1 + ROUNDING) throw invalid(path, 'top + height of at most 1', `${top + height}`);
  return { rect, factor, overlap: overlap ?? 'partial' };
}

/**
 * Reads format and size from the first bytes of a file, before it is decoded.
 *
 * @returns undefined for any other format
 * @source  PNG (W3C, 2023), sections 5.2 and 11.2.1; JPEG (ITU-T T.81), B.1.1 and B.2.2; WebP (RFC 9649), section 2
 */
export function imageHeader(bytes: Uint8Array): { readonly format: ImageFormat; readonly size: Size } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return { format: 'PNG', size: pngSize(bytes, view) };
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return { format: 'JPEG', size: jpegSize(bytes, view) };
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'))
    return { format: 'WebP', size: webpSize(bytes, view) };
  return undefined;
}

/** Pixels; undefined if the file ends before they are stated. */
type Size = { readonly width: number; readonly height: number } | undefined;

function startsWith(bytes: Uint8Array, offset: number, magic: string): boolean {
  return [...magic].every((character, i) => bytes[offset + i] === character.charCodeAt(0));
}

function pngSize(bytes: Uint8Array, view: DataView): Size {
  if (bytes.length < 24 || !startsWith(bytes, 12, 'IHDR')) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Skips segments up to the one that begins the frame. */
function jpegSize(bytes: Uint8Array, view: DataView): Size {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda || marker === 0xd9) return undefined; // the scan, or the end, with no frame before it
    if (marker === 0xff) at += 1; // fill
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2; // markers without a segment
    else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Start of frame, SOF0 … SOF15; three numbers among them mean something else (DHT, JPG, DAC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function webpSize(bytes: Uint8Array, view: DataView): Size {
  if (bytes.length < 30) return undefined;
  if (startsWith(bytes, 12, 'VP8X')) return { width: 1 + threeBytes(view, 24), height: 1 + threeBytes(view, 27) };
  if (startsWith(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (startsWith(bytes, 12, 'VP8 ') && startsWith(bytes, 23, '\x9d\x01\x2a'))
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  return undefined;
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
