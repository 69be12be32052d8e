import type { ReactNode } from 'react';

/** A block of text as it is sent or run. It scrolls, so it takes the focus: else the keyboard could not scroll it. */
export function Code(props: {
  /** What it is, for screen readers. */
  readonly label: string;
  readonly testId: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}) {
  const { label, testId, className, children } = props;
  return (
    <pre className={className} tabIndex={0} role="region" aria-label={label} data-testid={testId}>
      {children}
    </pre>
  );
}
