// @ts-check
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A browser that the suite drives, besides Chromium.
 *
 * @typedef {object} Needs
 * @property {readonly string[]} programs  what must be on the path
 * @property {readonly string[]} packages  the packages of Debian that bring them
 */

/** @satisfies {Readonly<Record<string, Needs>>} */
export const NEEDS = {
  firefox: { programs: ['firefox-esr'], packages: ['firefox-esr'] },
  webkit: { programs: ['WebKitWebDriver', 'Xvfb'], packages: ['webkit2gtk-driver', 'xvfb'] },
};

/**
 * Why a browser cannot be driven here.
 *
 * @param {Needs} needs
 * @returns {string | null}  null where it can
 */
export function whyMissing({ programs, packages }) {
  const missing = programs.filter((name) => !isOnPath(name));
  if (missing.length === 0) return null;
  return `no ${missing.join(', no ')} here; on Debian: apt-get install ${packages.join(' ')}`;
}

/** @param {string} name */
function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
