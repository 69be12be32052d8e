import type { Page } from '@playwright/test';

/** A section of the heat map as it is drawn. */
export interface DrawnSection {
  readonly start: number;
  readonly length: number;
  readonly score: number;
  /** Red, green and blue of its ground, 0 … 255. */
  readonly colour: readonly [number, number, number];
  readonly left: number;
  readonly top: number;
}

/** What the page shows of a result. */
export interface Shown {
  readonly lead: string;
  readonly detail: string;
  readonly ownAnswer: string;
  readonly heatText: string;
  /** Elements in the heat map that are not its own. */
  readonly foreignElements: number;
  readonly sections: readonly DrawnSection[];
  /** The colour of no influence. */
  readonly ground: readonly [number, number, number];
  /** As they are named in the choice of a word; empty for a target of one. */
  readonly targetWords: readonly string[];
  readonly matrixHead: readonly string[];
  /** Sum of each drawn row's cells, by the row's id. */
  readonly matrixSums: readonly (readonly [id: string, sum: number])[];
  /** Bars from above to below, by id, with what a screen reader says. */
  readonly bars: readonly (readonly [id: string, label: string])[];
  /** Everything in words. */
  readonly text: string;
}

/** Reads the result in one go. */
export function shownOn(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    const one = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
    const all = (root: ParentNode | null, selector: string) => [
      ...(root?.querySelectorAll<HTMLElement>(selector) ?? []),
    ];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (element: Element | null): [number, number, number] => {
      if (!canvas || !element) return [0, 0, 0];
      canvas.fillStyle = getComputedStyle(element).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue];
    };
    const heat = document.querySelector('lightwell-heat-map')?.shadowRoot?.querySelector('[part=text]') ?? null;
    const matrix = one('matrix')?.shadowRoot ?? null;
    const result = one('result');
    return {
      lead: one('caption')?.textContent ?? '',
      detail: one('caption')?.nextElementSibling?.textContent ?? '',
      ownAnswer: one('own-answer')?.textContent ?? '',
      heatText: heat?.textContent ?? '',
      foreignElements: all(heat, ':not(span, .block)').length,
      sections: all(heat, '[data-score]').map((element) => {
        const { left = 0, top = 0 } = element.getClientRects()[0] ?? {};
        const [, start, length] = (element.dataset['section'] ?? '').split('-').map(Number);
        const place = {
          start: start ?? NaN,
          length: length ?? NaN,
          score: Number(element.dataset['score']),
          left,
          top,
        };
        return { ...place, colour: rgb(element) };
      }),
      ground: rgb(result),
      targetWords: all(one('target-tokens'), 'button').map((word) => word.textContent),
      matrixHead: all(matrix, 'thead button').map((button) => button.textContent),
      matrixSums: all(matrix, 'tbody tr[data-section^="prompt"]').map((row) => {
        const cells = all(row, '[data-score]').map((cell) => Number(cell.dataset['score']));
        return [row.dataset['section'] ?? '', cells.reduce((sum, score) => sum + score, 0)] as const;
      }),
      bars: all(one('bars')?.shadowRoot ?? null, '[data-section]').map(
        (bar) => [bar.dataset['section'] ?? '', bar.getAttribute('aria-label') ?? ''] as const,
      ),
      text: result?.innerText ?? '',
    };
  });
}
