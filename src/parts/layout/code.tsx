import type { ReactNode } from 'react';

interface CodeProps {
  /** What it is, for screen readers. */
  readonly label: string;
  readonly testId: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A block of text as it is sent or run. It scrolls, so it takes the focus: else the keyboard could not scroll it. */
export function Code({ label, testId, className, children }: CodeProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <pre className={className} tabIndex={0} aria-label={label} data-testid={testId}>
      {children}
    </pre>
  );
}
