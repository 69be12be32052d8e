import {
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent as ReactKeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { partsWords } from './words.en.ts';
import styles from './buttons.module.css';

/** `primary` once on a page; `plain` beside it; `quiet` inside running text and tool rows. */
interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  readonly look?: 'primary' | 'plain' | 'quiet';
  /** Id of the element that takes the focus, where pressing the button may remove it. */
  readonly focus?: string;
}

/** A button that never submits a form. */
export function Button({ look = 'plain', focus, onClick, ...rest }: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (focus !== undefined) focusOn(focus);
    onClick?.(event);
  };
  return <button type="button" className={`${styles.button} ${styles[look]}`} onClick={press} {...rest} />;
}

type Copied = 'not yet' | 'done' | 'refused';

/** Copies a text, and says whether it worked. */
export function CopyButton({
  label,
  text,
  onKeyDown,
}: Pick<ButtonProps, 'onKeyDown'> & { readonly label: string; readonly text: () => string }) {
  const [copied, setCopied] = useState<Copied>('not yet');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied('done');
    } catch {
      setCopied('refused');
    }
  };
  const words = partsWords();
  const texts = { 'not yet': label, done: words.copied, refused: words.copyBlocked };
  return (
    <Button look="quiet" onClick={() => void copy()} onBlur={() => setCopied('not yet')} onKeyDown={onKeyDown}>
      <span aria-live="polite">{texts[copied]}</span>
    </Button>
  );
}

interface FileButtonProps extends Pick<ButtonProps, 'look' | 'id'> {
  /** Media types or endings, separated by commas. */
  readonly accept: string;
  /** Several files may be chosen at once. */
  readonly isMultiple?: boolean;
  /** Never called with no file. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
  readonly children: ReactNode;
}

/** A button that asks for files. The same file may be chosen twice. */
export function FileButton({ accept, isMultiple = false, onFiles, look = 'quiet', id, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [first, ...others] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (first) onFiles([first, ...others]);
  };
  return (
    <>
      <Button look={look} id={id} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input ref={input} type="file" accept={accept} multiple={isMultiple} onChange={onChange} hidden />
    </>
  );
}

/** ⌘ or Ctrl with Enter does it, wherever the focus is; a key that is held down does it once. */
export function useEnterShortcut(action: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || !isEnterShortcut(event)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** The keys of `useEnterShortcut`, as the reader's keyboard names them. */
export function EnterKeys() {
  const isApple = /Mac|iP/.test(navigator.platform);
  return <kbd className={styles.keys}>{partsWords().enterKeys[isApple ? 'apple' : 'other']}</kbd>;
}

/** Moves the focus to an element by its id, where the one that has the focus leaves the page. */
export function focusOn(id: string): void {
  document.getElementById(id)?.focus();
}

/** Scrolls to an element, by its id, that is below others, as on a phone. @param share  of the window that it must fill to count as visible */
export function scrollIfBelow(id: string, share: number): void {
  const element = document.getElementById(id);
  if (element && element.getBoundingClientRect().top > innerHeight * (1 - share)) element.scrollIntoView();
}

/** Saves a file through the browser; nothing leaves the page. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** The key code of every key press that an input method handles. */
const INPUT_METHOD = 229;

/**
 * The key that was pressed; empty while an input method composes a text, as for Japanese: then Enter ends the composition and
 * Escape discards it. Safari ends a composition before it reports the key, so the key code is checked too.
 *
 * @source UI Events (W3C), `isComposing` and section 7.3.1; WebKit bug 165004
 */
export function keyOf(event: KeyboardEvent | ReactKeyboardEvent): string {
  const { key, keyCode, isComposing } = 'nativeEvent' in event ? event.nativeEvent : event;
  return isComposing || keyCode === INPUT_METHOD ? '' : key;
}

/** Whether ⌘ or Ctrl was pressed with Enter. */
export function isEnterShortcut(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  return keyOf(event) === 'Enter' && (event.metaKey || event.ctrlKey);
}
