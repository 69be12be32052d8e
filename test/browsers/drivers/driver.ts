/** A browser that runs, with one tab. */
export interface Driver {
  /** Name and version, as the browser says them. */
  readonly version: string;
  /** Goes to an address and waits until its page has loaded. */
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page; its value is a promise of a string. */
  evaluate(expression: string): Promise<string>;
  /** Ends the browser and whatever was started for it. */
  close(): Promise<void>;
}

/** What an expression in the page gives. */
type Given = { readonly value: unknown } | { readonly error: string };

/**
 * Calls a function in the page. It sees nothing of this module; arguments and result cross as JSON.
 *
 * @throws {Error} with what the function threw
 */
export async function callIn<Values extends unknown[], Result>(
  driver: Driver,
  body: (...values: Values) => Result | Promise<Result>,
  ...values: Values
): Promise<Result> {
  const call = `(${body})(...${JSON.stringify(values)})`;
  const given: Given = JSON.parse(
    await driver.evaluate(`(async () => {
      try {
        return JSON.stringify({ value: await ${call} });
      } catch (error) {
        return JSON.stringify({ error: String(error) });
      }
    })()`),
  );
  if ('error' in given) throw new Error(`in the page: ${given.error}`);
  return given.value as Result; // what JSON made of the function's result; the functions here return plain data
}
