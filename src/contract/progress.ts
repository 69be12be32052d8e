import { z } from './wire/zod.ts';
import { PartialExplanation } from './explain.ts';

/**
 * How far a request has come. `partial` holds only what was explained since the last progress, before normalisation;
 * a listener that wants the whole joins them.
 */
export const Progress = z
  .object({
    phase: z.enum(['queue', 'download', 'compile', 'run']),
    done: z.number(),
    total: z.number(),
    partial: z.array(PartialExplanation).optional(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;
