import { figuresWords } from '../../../../words/en/explain/figures.ts';
import { numberText } from '../../../../words/numbers.ts';
import { largestIn } from '../../../../state/explain/influence.ts';
import { fullColour } from '../../result/heat/colour-scale.ts';
import { quoted } from '../../texts.ts';
import { type Content, MADE_WITH, titleOf } from './content.ts';
import { type Figure, moved, type Shape } from './figure.ts';
import { type GreyPicture, type HeatOptions, pictureShapes, textShapes } from './heat.ts';
import { legend } from './legend.ts';
import { COLOURS } from './palette.ts';
import { shortened, wordsOf } from './sheet.ts';
import type { Face, Typesetter } from './typesetter.ts';

/** What sites show beside a link, pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** Around everything, points. */
const INSET = 56;
const WIDTH = SHARE_SIZE.width - 2 * INSET;
const LEAD_SIZES = [46, 38, 30] as const;
const LEAD_LINES = 2;
const TEXT_SIZES = [42, 34, 28, 24] as const;
const SMALL: Face = { family: 'sans', size: 20, weight: 400, leading: 32 };
/** Where the heat map ends and the legend begins, points from the top. */
const BODY_END = 486;

/** The headline and as much of the heat map as fits, for a post or a slide. */
export function shareFigure({ typesetter, content, picture }: Omit<HeatOptions, 'isBare'>): Figure {
  const lead = leadShapes(content, typesetter);
  const top = INSET + lead.height + 20;
  const body = bodyShapes({ content, picture, typesetter, height: BODY_END - top });
  const ground = { kind: 'box', left: 0, top: 0, ...SHARE_SIZE, fill: COLOURS.ground } as const;
  return {
    ...SHARE_SIZE,
    title: titleOf('heat', content),
    shapes: [
      ground,
      ...moved(lead.shapes, INSET, INSET),
      ...moved(body, INSET, top),
      ...moved(footShapes(content, typesetter), INSET, BODY_END + 8),
    ],
  };
}

/** As large as fits on two lines. */
function leadShapes({ lead }: Content, typesetter: Typesetter): { shapes: Shape[]; height: number } {
  const settings = LEAD_SIZES.map((size) => {
    const face: Face = { family: 'serif', size, weight: 600, leading: size * 1.25 };
    return { face, lines: typesetter.lay([lead], face, WIDTH) };
  });
  const setting = settings.find(({ lines }) => lines.length <= LEAD_LINES) ?? settings.at(-1);
  if (!setting) return { shapes: [], height: 0 };
  const { face } = setting;
  const lines = shortened(setting.lines, LEAD_LINES);
  return { shapes: wordsOf(lines, { face, colour: COLOURS.ink, typesetter }), height: lines.length * face.leading };
}

/** What the middle of the picture is made of. */
interface Body {
  readonly content: Content;
  readonly picture: GreyPicture | null;
  readonly typesetter: Typesetter;
  readonly height: number;
}

/** The prompt's picture on the left, its text beside it. */
function bodyShapes({ content, picture, typesetter, height }: Body): Shape[] {
  const { outcome, view } = content;
  const photoWidth = picture ? Math.min(WIDTH / 3, height * picture.ratio) : 0;
  const tiles = outcome.influence.picture;
  const photo = picture ? pictureShapes(picture, { tiles, view, width: photoWidth }).shapes : [];
  if (outcome.question.prompt === '') return photo;
  const left = picture ? photoWidth + INSET / 2 : 0;
  return [...photo, ...moved(fittingText({ content, typesetter, width: WIDTH - left, height }), left, 0)];
}

/** The text as large as fits; in the smallest size, its first lines. */
function fittingText(options: { content: Content; typesetter: Typesetter; width: number; height: number }): Shape[] {
  const { content, typesetter, width, height } = options;
  let shapes: Shape[] = [];
  for (const size of TEXT_SIZES) {
    const face: Face = { family: 'serif', size, weight: 400, leading: size * 1.85 };
    const most = Math.max(1, Math.floor(height / face.leading));
    let isWhole = true;
    const cut: NonNullable<Parameters<typeof textShapes>[1]['cut']> = (lines) => {
      isWhole = lines.length <= most;
      return shortened(lines, most);
    };
    ({ shapes } = textShapes(content, { typesetter, face, width, cut }));
    if (isWhole) break;
  }
  return shapes;
}

/** The legend, the target and what made the picture. */
function footShapes({ outcome, view, model, partial }: Content, typesetter: Typesetter): Shape[] {
  const { prompt, picture } = outcome.influence;
  const [text, tiles] = [largestIn(prompt, view), largestIn(picture, view)];
  const hasBoth = prompt.length > 0 && picture.length > 0;
  const scale = legend({ typesetter, face: SMALL, largest: Math.max(text, tiles), hasNumbers: !hasBoth });
  const words = figuresWords();
  const scales = words.scales(numberText(fullColour(tiles)), numberText(fullColour(text)));
  const target = words.target(quoted(outcome.question.target, 48));
  const said = [partial, hasBoth ? scales : null, target, model, MADE_WITH].filter((one) => one !== null).join(' · ');
  const lines = shortened(typesetter.lay([said], SMALL, WIDTH), 1);
  const facts = wordsOf(lines, { face: SMALL, colour: COLOURS.inkSoft, typesetter });
  return [...scale.shapes, ...moved(facts, 0, scale.height + 6)];
}
