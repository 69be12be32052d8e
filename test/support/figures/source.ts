import type { Explanation } from '../../../src/contract/explain.ts';
import { outcomeOf } from '../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS, type Question } from '../../../src/explanations/question.ts';
import { type Content, contentOf } from '../../../src/figures/drawing/content.ts';
import type { VectorFigure, Shape } from '../../../src/figures/drawing/figure.ts';
import { PREDICTION } from '../fakes/fake-explain.ts';

/** What a test changes of the result. */
export interface MadeUp extends Partial<Pick<Question, 'prompt' | 'target' | 'picture' | 'settings'>> {
  /** Scores of the words of the prompt, for each target token. */
  readonly scores?: Readonly<Record<string, readonly number[]>>;
  readonly tiles?: Explanation['items'];
  readonly tokens?: readonly string[];
  readonly isPartial?: boolean;
  /** Where its model is; left out: in the page. */
  readonly upstream?: string;
  /** Of each word, in order: how far its score may be off; null: it is exact. Left out: all are. */
  readonly margins?: readonly (number | null)[];
  readonly view?: Content['view'];
  /** The first section is an attention sink. */
  readonly hasSink?: boolean;
}

/** A result that nobody computed, and the words around it. Each word of `scores` stands once in the prompt. */
export function madeUpContent(made: MadeUp = {}): Content {
  const { prompt = 'red or blue', target = ' a', picture = null, settings = DEFAULT_QUESTION_SETTINGS } = made;
  const { scores = { red: [2], blue: [-1.5], or: [0.05] }, tokens = [target], tiles = [] } = made;
  const explanations = tokens.map((token, column) => ({
    target: token,
    items: [
      ...tiles,
      {
        type: 'text' as const,
        ...(made.margins && { margins: [...made.margins] }),
        scores: Object.entries(scores).map(([word, all]) => {
          const before = prompt.slice(0, prompt.indexOf(word));
          return { start: [...before].length, length: [...word].length, score: all[column] ?? 0 };
        }),
      },
    ],
  }));
  const version = made.isPartial ? null : 'm 1';
  const outcome = outcomeOf({ picture, prompt, target, settings }, explanations, version, PREDICTION, {
    upstream: made.upstream ?? null,
    sinks: made.hasSink ? [{ id: `prompt-0-${Object.keys(scores)[0]?.length}`, loss: 0, lossAfter: 1 }] : [],
  });
  return contentOf({ outcome, view: made.view ?? 'whole', model: 'm' });
}

/** A tile over the whole picture. */
export function wholeTile(score: number): Explanation['items'] {
  return [{ type: 'image', scores: [{ rect: { left: 0, top: 0, width: 1, height: 1 }, score }] }];
}

/** Lines of text of a figure, from top to bottom, those on one height from left to right. */
export function textsIn({ shapes }: VectorFigure): string[] {
  return shapes.flatMap((shape) => (shape.kind === 'words' ? [shape.runs.map(({ text }) => text).join('')] : []));
}

/** Shapes of one kind. */
export function shapesOf<Kind extends Shape['kind']>(
  figure: VectorFigure,
  kind: Kind,
): Extract<Shape, { kind: Kind }>[] {
  return figure.shapes.filter((shape): shape is Extract<Shape, { kind: Kind }> => shape.kind === kind);
}
