import { describe, expect, it } from 'vitest';
import { legend, markShapes } from '../../../../src/figures/drawing/heat.ts';
import { COLOURS, markOf } from '../../../../src/figures/colours.ts';
import type { Face } from '../../../../src/figures/drawing/figure.ts';
import { countingTypesetter as typesetter } from '../../../support/figures/typesetter.ts';

const face: Face = { family: 'sans', size: 10, weight: 400, leading: 15 };

describe('legend', () => {
  it('goes from blue over nothing to amber, in colours that sections have', () => {
    const { shapes } = legend({ typesetter, face, largest: 7 });
    const steps = shapes.flatMap((shape) => (shape.kind === 'box' && shape.height > 1 ? [shape.fill] : []));
    const scores = [-9.5, -8.5, -7.5, -6.5, -5.5, -4.5, -3.5, -2.5, -1.5, -0.5];
    const mirrored = scores.toReversed().map((score) => -score);
    expect(steps).toEqual([...scores, ...mirrored].map((score) => markOf(score, 7).fill));
  });

  it('leaves the middle free on a scale where it says nothing', () => {
    const steps = legend({ typesetter, face, largest: 0.5 }).shapes.filter(
      (one) => one.kind === 'box' && one.height > 1,
    );
    expect(steps).toHaveLength(18); // 0.05 nats to either side of zero have no colour
  });
});

describe('markShapes', () => {
  const place = { left: 1, top: 2, width: 30, height: 10 };

  it('is a ground and a line below it', () => {
    expect(markShapes(place, markOf(1, 2))).toMatchObject([
      { kind: 'box', ...place },
      { kind: 'rule', left: 1, top: 11.25, width: 30, thickness: 1.5, colour: COLOURS.supportsEdge },
    ]);
  });

  it('is nothing for a score that says nothing, and where nothing stands', () => {
    expect(markShapes(place, markOf(0.01, 2))).toEqual([]);
    expect(markShapes({ ...place, width: 0 }, markOf(1, 2))).toEqual([]);
  });
});
