import { vi } from 'vitest';

/**
 * Waits until a check holds; it is tried again and again. The time-out only ends a hang, so it is long: a busy machine
 * makes everything wait.
 */
export const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 2 });
