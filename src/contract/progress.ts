import { z } from './wire/zod.ts';
import { CompletionPart } from './likelihood/complete.ts';
import { PartialExplanation } from './explain.ts';
import { QaFound } from './qa.ts';

/**
 * How far a request has come. `partial` holds only what was explained since the last progress, before normalisation;
 * a listener that wants the whole joins them. `found` likewise holds what was read since, and `written` what was
 * written.
 */
export const Progress = z
  .object({
    phase: z.enum(['queue', 'download', 'compile', 'run']),
    done: z.number(),
    total: z.number(),
    partial: z.array(PartialExplanation).optional(),
    found: z.array(QaFound).optional(),
    written: z.array(CompletionPart).optional(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;
