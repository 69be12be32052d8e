import type { Operation } from './api-operations.ts';
import type { OperationName } from './api-store.ts';
import { prettyJson } from './folded-json.ts';
import { clientCall, pythonOf } from './python.ts';

/** A request to write down as code. */
export interface SnippetRequest {
  readonly name: OperationName;
  readonly method: Operation['method'];
  /** null for none. */
  readonly body: string | null;
  /** Such as `http://localhost:4173/api`. */
  readonly baseUrl: string;
  readonly token: string;
}

/** The languages, in the order in which they are offered. */
export const LANGUAGES = ['curl', 'javascript', 'python', 'client'] as const;
export type Language = (typeof LANGUAGES)[number];

const WRITERS: Readonly<Record<Language, (request: SnippetRequest) => string>> = {
  curl: curlOf,
  javascript: javascriptOf,
  python: requestsOf,
  client: clientOf,
};

/** The request as code that can be run as it is. */
export function snippetOf(language: Language, request: SnippetRequest): string {
  return WRITERS[language](request);
}

function curlOf({ name, body, baseUrl, token }: SnippetRequest): string {
  const lines = [`curl ${shellText(`${baseUrl}/${name}`)}`, `-H ${shellText(`Authorization: Bearer ${token}`)}`];
  if (body !== null) lines.push(`-H 'Content-Type: application/json'`, `--data-raw ${shellText(pretty(body))}`);
  return lines.join(' \\\n  ');
}

/** Within single quotes a shell changes nothing but the quote itself. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function javascriptOf({ name, method, body, baseUrl, token }: SnippetRequest): string {
  const json = body === null ? '' : `\n  body: JSON.stringify(${indented(pretty(body), '  ')}),`;
  const type = body === null ? '' : `, 'Content-Type': 'application/json'`;
  return `const response = await fetch('${baseUrl}/${name}', {
  method: '${method}',
  headers: { Authorization: 'Bearer ${token}'${type} },${json}
});
console.log(response.status, await response.${name === 'version' ? 'text' : 'json'}());`;
}

function requestsOf({ name, method, body, baseUrl, token }: SnippetRequest): string {
  const json = body === null ? '' : `\n    json=${parsedOr(body, (value) => pythonOf(value, '    '))},`;
  return `import requests

response = requests.${method.toLowerCase()}(
    "${baseUrl}/${name}",
    headers={"Authorization": "Bearer ${token}"},${json}
)
print(response.status_code, response.${name === 'version' ? 'text' : 'json()'})`;
}

function clientOf({ name, body, baseUrl, token }: SnippetRequest): string {
  const { imports, lines, note, moreImports } = clientCall(
    name,
    parsedOr<unknown>(body ?? 'null', (value) => value) ?? {},
  );
  const client = `client = Client(token="${token}", host="${baseUrl}")`;
  const head = note ? `# ${note}\n` : '';
  const more = moreImports ? `${moreImports}\n` : '';
  return `${head}from aleph_alpha_client import ${['Client', ...imports].join(', ')}\n${more}\n${client}\n${lines}`;
}

/** A body that is not valid JSON is shown as it is. */
function parsedOr<Value>(body: string, use: (value: unknown) => Value): Value | string {
  try {
    return use(JSON.parse(body));
  } catch {
    return body;
  }
}

function pretty(body: string): string {
  return parsedOr(body, prettyJson);
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}
