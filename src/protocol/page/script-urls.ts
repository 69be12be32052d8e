/** The part of the browser's Trusted Types that is used; TypeScript's libraries do not have it. */
export interface PolicyFactory {
  createPolicy(name: 'default', rules: { createScriptURL(url: string): string | null }): unknown;
}

/**
 * Lets the scripts of one folder become workers where the content security policy demands Trusted Types, and leaves every
 * other text refused: there is no rule for HTML or scripts. It is the policy named `default`, which browsers ask for each
 * plain address, so that workers are still started in the one form that bundlers find: `new Worker(new URL(…))`.
 *
 * @param folder   address of a folder of this origin, ending in a slash
 * @param factory  left out: the browser's; nothing is done where it has none
 */
export function trustScriptsIn(folder: string, factory: PolicyFactory | undefined = browserFactory()): void {
  factory?.createPolicy('default', { createScriptURL: (url) => (isScriptIn(folder, url) ? url : null) });
}

function isScriptIn(folder: string, url: string): boolean {
  if (!URL.canParse(url, folder)) return false;
  const { origin, pathname } = new URL(url, folder);
  const home = new URL(folder);
  return origin === home.origin && pathname.startsWith(home.pathname) && /\.m?js$/.test(pathname);
}

function browserFactory(): PolicyFactory | undefined {
  return (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes;
}
