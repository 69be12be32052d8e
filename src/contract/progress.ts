import { z } from 'zod';
import { Explanation } from './explain.ts';

/** How far a request has come; `partial` holds the sections explained so far, before normalisation. */
export const Progress = z
  .object({
    phase: z.enum(['queue', 'download', 'compile', 'run']),
    done: z.number(),
    total: z.number(),
    partial: z.array(Explanation).optional(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;
