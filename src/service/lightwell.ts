import type { Service } from './service.ts';

declare global {
  // What consoles and other scripts of the page use. The one form of declaration that puts a name on `globalThis`.
  var lightwell: Service;
}
