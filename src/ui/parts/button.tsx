import type { ComponentProps } from 'react';
import styles from './button.module.css';

/** `primary` once on a page; `plain` beside it; `quiet` inside running text and tool rows. */
export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  readonly look?: 'primary' | 'plain' | 'quiet';
}

/** A button that never submits a form. */
export function Button({ look = 'plain', ...rest }: ButtonProps) {
  return <button type="button" className={`${styles.button} ${styles[look]}`} {...rest} />;
}
