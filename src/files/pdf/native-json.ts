const { parse, stringify } = JSON;

/**
 * Puts the browser's own `JSON.parse` and `JSON.stringify` back. pdf.js's build for older browsers replaces both where
 * `JSON.rawJSON` is missing (before Chrome 114, Firefox 135 and Safari 18.4). Its versions take forty times as long, on a
 * page that reads requests of megabytes, and nothing here needs what they add. Import this module before pdf.js.
 */
export function restoreJson(): void {
  Object.assign(JSON, { parse, stringify });
}
