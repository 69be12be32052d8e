import { z } from 'zod';

// The page's content security policy forbids `eval`, by which zod would compile its validators; even its attempt is
// reported as a violation. Schemas ask for this when they are made, so all of them take `z` from here.
z.config({ jitless: true });

export { z };

/** An object that the OpenAPI document lists under this name. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}
