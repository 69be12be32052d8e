/** Moves the focus to an element by its id, where the one that has the focus leaves the page. */
export function focusOn(id: string): void {
  document.getElementById(id)?.focus();
}
