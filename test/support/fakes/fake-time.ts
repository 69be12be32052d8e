import { afterEach, beforeEach, vi } from 'vitest';

/** Within the `describe` that calls it, time stands still in each test until the test moves it on. */
export function holdTime(): void {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
}
