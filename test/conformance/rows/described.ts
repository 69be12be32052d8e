import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Received } from '../transport/transport.ts';

/** The service's OpenAPI document as a judge of exchanges. */
export interface Described {
  /**
   * A request that was answered 200 must fit its schema, one that does not fit must be refused with 400, and every answer
   * must fit the schema of its status and media type.
   *
   * @throws {AssertionError} naming the first misfit
   */
  check(
    sent: { readonly method: string; readonly path: string; readonly body: string | undefined },
    got: Received,
  ): void;
}

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

/** The parts of an OpenAPI 3.1 document that are read here. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** @param document  what `GET /openapi.json` answered */
export function createDescribed(document: OpenApi): Described {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  ajv.addSchema({ $id: 'service', components: document.components });
  const compiled = new Map<Schema, ValidateFunction>();
  const validatorOf = (schema: Schema): ValidateFunction => {
    const found = compiled.get(schema) ?? ajv.compile(withService(schema));
    compiled.set(schema, found);
    return found;
  };
  return {
    check({ method, path, body }, { status, headers, text }) {
      const operation = pathIn(document, path.split('?')[0] ?? '')?.[method.toLowerCase()];
      if (!operation) return assert.ok([401, 404, 405].includes(status), `${method} ${path} answered ${status}`);
      checkRequest(operation, body, status, validatorOf);
      const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
      const content = operation.responses[status]?.content[type];
      assert.ok(content, `${method} ${path}: status ${status} as ${type} is not described`);
      if (type !== 'application/json') return;
      const validate = validatorOf(content.schema);
      assert.ok(validate(JSON.parse(text)), `${path} ${status}: ${ajv.errorsText(validate.errors)}`);
    },
  };
}

/** The path itself, or the one with a name in it. */
function pathIn({ paths }: OpenApi, path: string): OpenApi['paths'][string] | undefined {
  const named = Object.keys(paths).find((each) => new RegExp(`^${each.replace(/\{\w+\}/, '.+')}$`).test(path));
  return paths[path] ?? paths[named ?? ''];
}

/** The schema, with its references into the document that the compiler knows as `service`. */
function withService(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"service#/components')) as Schema;
}

function checkRequest(
  { requestBody }: Operation,
  body: string | undefined,
  status: number,
  validatorOf: (schema: Schema) => ValidateFunction,
): void {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema || body === undefined || status === 401) return;
  const fits = validatorOf(schema)(parsed(body));
  if (status === 200) assert.ok(fits, 'a body that does not fit the description was answered');
  if (!fits) assert.equal(status, 400, 'a body that does not fit the description must be refused with 400');
}

/** What is no JSON fits no schema of an object. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
