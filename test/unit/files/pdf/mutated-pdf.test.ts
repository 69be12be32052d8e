import { describe, expect, it } from 'vitest';
import { UnreadableFile } from '../../../../src/files/document.ts';
import { readPdf } from '../../../../src/files/pdf/read-pdf.ts';
import { seededRandom } from '../../../../workers/kernels/seeded-random.ts';
import { mutatedPdf, VALID_FILES } from '../../../support/files/mutated-pdf.ts';

const FILES = 60;

// `npm run bench -- mutations` reads thousands in Chromium, bombs among them.
describe('a damaged PDF', () => {
  it('is read or refused with a problem, and the next file is read', async () => {
    const random = seededRandom(7);
    const outcomes = new Map<string, number>();
    for (let file = 0; file < FILES; file++) {
      const { bytes } = mutatedPdf(random, 0);
      const outcome = await readPdf(bytes, {}).then(
        () => 'text',
        (error: unknown) => (error instanceof UnreadableFile ? error.problem : `defect: ${error}`),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([...outcomes.keys()].toSorted()).toEqual(['damaged', 'text']);
    const next = VALID_FILES[2]?.slice() ?? new Uint8Array();
    expect((await readPdf(next, {})).text).toContain('900 euros');
  });
});
