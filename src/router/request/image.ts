import type { ImageControl, PromptItem } from '../../contract/prompt.ts';
import type { ImageFormat, JobControl, JobImage, Square } from '../../protocol/prompt.ts';
import type { BytesOf } from './files-reader.ts';
import { imageHeader } from './image-header.ts';
import { invalid } from './text.ts';

type ImageItem = Extract<PromptItem, { type: 'image' }>;

/** A larger picture takes more than 256 MiB while it is decoded. */
const MOST_PIXELS = 2 ** 26;

/** Rectangles may reach beyond the picture by what their decimals were rounded. */
const ROUNDING = 1e-6;

/**
 * An image item as bytes, its header read.
 *
 * @param path  of the item in the request
 * @throws {FailureError} INVALID_REQUEST for broken base64, another format than PNG, JPEG or WebP, a header that names no
 *   size or too large a one, a crop that is given in part, or a control that reaches beyond the picture. Whether the crop
 *   lies inside is known once the picture is decoded: a camera's note may turn it
 */
export async function jobImage(item: ImageItem, path: string, bytesOf: BytesOf): Promise<JobImage> {
  const crop = cropOf(item, path);
  const controls = (item.controls ?? []).map((control, i) => imageControl(control, `${path}.controls[${i}].rect`));
  const file = await bytesOf(item.data, `${path}.data`);
  return { type: 'image', file, format: checkedFormat(file, `${path}.data`), crop, controls };
}

function checkedFormat(file: Uint8Array, path: string): ImageFormat {
  const header = imageHeader(file);
  if (!header) throw invalid(path, 'a PNG, JPEG or WebP file', `${file.length} bytes of another format`);
  if (!header.size) throw invalid(path, `a whole ${header.format} file`, `${file.length} bytes that name no size`);
  const { width, height } = header.size;
  if (width === 0 || height === 0) throw invalid(path, 'a picture with pixels', `one of ${width} × ${height}`);
  if (width * height > MOST_PIXELS)
    throw invalid(path, `a picture of at most ${MOST_PIXELS} pixels`, `one of ${width} × ${height}`);
  return header.format;
}

/** @source contract facts §1.2: x, y and size together, or the square in the middle */
function cropOf({ x, y, size }: ImageItem, path: string): Square | null {
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
