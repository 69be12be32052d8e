import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../buttons.tsx';
import styles from './dialog.module.css';

/** A window over the page, shown as long as it is drawn. Escape closes it. */
export function Dialog(props: {
  readonly title: string;
  /** On the button that closes it; null: what is in it closes it. */
  readonly closeText: string | null;
  readonly testId: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { title, closeText, testId, onClose, children } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  // At once: the event `close` comes later, and would close a dialog that was opened again meanwhile.
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // Without `cancel` before it: browsers skip that where nothing was clicked since the last one.
      onClose={() => dialog.current && onClose()}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {closeText !== null && (
          <Button look="quiet" onClick={close}>
            {closeText}
          </Button>
        )}
      </div>
      {children}
    </dialog>
  );
}

/** The first row of a table: the names of its columns. */
export function TableHead({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A block of text as it is sent or run. It scrolls, so it takes the focus: else the keyboard could not scroll it. */
export function Code(props: {
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
