const { parse, stringify } = JSON;
const { push } = Array.prototype;

/**
 * Puts functions of the browser back that pdf.js's build for older browsers replaces: those of `JSON` where `JSON.rawJSON` is missing
 * (before Chrome 114, Firefox 135 and Safari 18.4), whose versions take forty times as long, on a page that reads requests of megabytes;
 * and `push` (in Node 20), for arrays whose length is read-only. Nothing here needs what they add. Import this module before pdf.js.
 */
export function restoreFunctions(): void {
  Object.assign(JSON, { parse, stringify });
  if (Array.prototype.push !== push) Object.assign(Array.prototype, { push });
}
