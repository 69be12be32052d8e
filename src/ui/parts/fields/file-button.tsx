import { useRef, type ChangeEvent, type ReactNode } from 'react';
import { Button } from '../button.tsx';

/** See `FileButton`. */
export interface FileButtonProps {
  /** Media types, parted by commas. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
  readonly children: ReactNode;
}

/** A button that asks for a file. The same file may be chosen twice. */
export function FileButton({ accept, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    currentTarget.value = '';
    if (file) onFile(file);
  };
  return (
    <>
      <Button look="quiet" onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input ref={input} type="file" accept={accept} onChange={onChange} hidden />
    </>
  );
}
