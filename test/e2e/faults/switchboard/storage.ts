import { isFailing } from './board.ts';

/** Reading and writing `localStorage` and `sessionStorage`. */
export function watchStorage(): void {
  const { getItem, setItem, removeItem } = Storage.prototype;
  Storage.prototype.getItem = function (key) {
    if (isFailing('storage: read throws')) throw new DOMException('The storage cannot be read.', 'SecurityError');
    return getItem.call(this, key);
  };
  Storage.prototype.setItem = function (key, value) {
    if (isFailing('storage: write throws')) throw new DOMException('The storage is full.', 'QuotaExceededError');
    setItem.call(this, key, value);
  };
  Storage.prototype.removeItem = function (key) {
    if (isFailing('storage: write throws')) throw new DOMException('The storage is read-only.', 'SecurityError');
    removeItem.call(this, key);
  };
}
