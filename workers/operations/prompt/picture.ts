import { FailureError } from '../../../src/contract/failure.ts';
import type { ImageControl, PromptItem } from '../../../src/contract/prompt.ts';
import type { ImageReader, Picture } from '../../engine/images/image-reader.ts';
import type { PositionFactor } from '../../kernels/attention-control.ts';
import { imageHeader, type ImageHeader } from '../../kernels/images/image-format.ts';
import { centreSquare, factorsOnPicture, type SeenPicture, type Square } from '../../kernels/images/image-tiles.ts';
import { fileBytes } from '../../documents/file-bytes.ts';

type ImageItem = Extract<PromptItem, { type: 'image' }>;

/** A picture as the network reads it. */
export interface ReadPicture {
  readonly seen: SeenPicture;
  /** Input embeddings, `[tokens, width]`. */
  readonly rows: Float32Array;
}

/** A larger picture would take more than 256 MiB while it is decoded. */
const MOST_PIXELS = 2 ** 26;

/** Rectangles may reach beyond the picture by what their decimals were rounded. */
const ROUNDING = 1e-6;

/**
 * Decodes an image item and encodes what the model sees of it.
 *
 * @param path  of the item in the request
 * @throws {FailureError} INVALID_REQUEST for broken base64, another format than PNG, JPEG or WebP, a file that cannot be
 *   decoded or is too large, a crop that is given in part or lies outside the picture
 */
export async function readPicture(item: ImageItem, path: string, reader: ImageReader): Promise<ReadPicture> {
  const crop = cropOf(item, path);
  const bytes = fileBytes(item.data, `${path}.data`);
  const { format } = checkedHeader(bytes, `${path}.data`);
  const picture = await reader.decode(bytes, format);
  if (!picture) throw invalid(`${path}.data`, `a ${format} file that can be decoded`, 'a broken one');
  try {
    const { width, height } = picture;
    const square = crop ? checkedCrop(crop, picture, path) : centreSquare(width, height);
    return { seen: { width, height, square, grid: reader.grid }, rows: await reader.embed(picture, square) };
  } finally {
    picture.close();
  }
}

function checkedHeader(bytes: Uint8Array, path: string): ImageHeader {
  const header = imageHeader(bytes);
  if (!header) throw invalid(path, 'a PNG, JPEG or WebP file', `${bytes.length} bytes of another format`);
  if (!header.size) throw invalid(path, `a whole ${header.format} file`, `${bytes.length} bytes that name no size`);
  const { width, height } = header.size;
  if (width === 0 || height === 0) throw invalid(path, 'a picture with pixels', `one of ${width} × ${height}`);
  if (width * height > MOST_PIXELS)
    throw invalid(path, `a picture of at most ${MOST_PIXELS} pixels`, `one of ${width} × ${height}`);
  return header;
}

/** @source contract facts §1.2: x, y and size together, or the square in the middle */
function cropOf({ x, y, size }: ImageItem, path: string): Square | undefined {
  const given = Object.entries({ x, y, size }).filter(([, value]) => typeof value === 'number');
  if (given.length === 0) return undefined;
  if (typeof x === 'number' && typeof y === 'number' && typeof size === 'number') return { x, y, size };
  throw invalid(path, 'x, y and size together, or none of them', `only ${given.map(([name]) => name).join(' and ')}`);
}

function checkedCrop(crop: Square, { width, height }: Picture, path: string): Square {
  const { x, y, size } = crop;
  if (x + size > width) throw invalid(`${path}.x`, `x + size of at most ${width}`, `${x + size}`);
  if (y + size > height) throw invalid(`${path}.y`, `y + size of at most ${height}`, `${y + size}`);
  return crop;
}

/**
 * Factors that an image item's controls put on its positions.
 *
 * @throws {FailureError} INVALID_REQUEST for a rectangle that reaches beyond the picture
 */
export function pictureFactors(
  controls: readonly ImageControl[],
  picture: SeenPicture,
  first: number,
  path: string,
): PositionFactor[] {
  return controls.flatMap(({ rect, factor, token_overlap: overlap }, i) => {
    const { left, top, width, height } = rect;
    const at = `${path}.controls[${i}].rect`;
    if (left + width > 1 + ROUNDING) throw invalid(at, 'left + width of at most 1', `${left + width}`);
    if (top + height > 1 + ROUNDING) throw invalid(at, 'top + height of at most 1', `${top + height}`);
    return factorsOnPicture({ ...rect, factor, overlap: overlap ?? 'partial' }, picture, first);
  });
}

function invalid(path: string, expected: string, got: string): FailureError {
  return new FailureError('INVALID_REQUEST', `${path}: expected ${expected}, got ${got}`);
}
