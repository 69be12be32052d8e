/**
 * Where the service worker and the local server answer: `api` in the folder that the page lies in.
 *
 * @param page  the page's address, such as `https://host.example/tools/lightwell/index.html#/api`
 * @returns     without a slash at its end, such as `https://host.example/tools/lightwell/api`
 */
export function apiUrl(page: string): URL {
  return new URL('api', page);
}
