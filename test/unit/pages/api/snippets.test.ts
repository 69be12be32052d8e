import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { operationsFor } from '../../../../src/pages/api/snippets.ts';
import { OPERATION_NAMES } from '../../../../src/pages/api/api-store.ts';
import { SNIPPETS } from '../../../../src/pages/api/snippets.ts';

const OPERATIONS = operationsFor('lightwell-base', 0.1);

function request(name: (typeof OPERATION_NAMES)[number], body?: unknown): Parameters<typeof SNIPPETS.curl>[0] {
  const { method, example } = OPERATIONS[name];
  const value = body ?? example;
  const text = typeof value === 'string' ? value : value && JSON.stringify(value, null, 2);
  return { name, method, body: text, baseUrl: 'http://localhost:4173/api', token: 'abc' };
}

const HARD = { prompt: 'It\'s $HOME `id` \\ "é" 🙂 \n</script>${x}', tokens: true, type: null };

describe('curl', () => {
  it('sends exactly the body, whatever is in it', () => {
    const code = SNIPPETS.curl(request('embed', HARD)).replace(/^curl/, String.raw`printf '%s\0'`);
    const printed = execFileSync('sh', ['-c', code], { encoding: 'utf8' }).split('\0');
    expect(printed[0]).toBe('http://localhost:4173/api/embed');
    expect(JSON.parse(printed.at(-2) ?? '')).toEqual(HARD);
  });

  it('sends no body where there is none', () => {
    expect(SNIPPETS.curl(request('model-settings'))).toBe(
      "curl 'http://localhost:4173/api/model-settings' \\\n  -H 'Authorization: Bearer abc'",
    );
  });
});

describe('JavaScript', () => {
  it.each(OPERATION_NAMES)('asks for %s as the contract says', async (name) => {
    const asked: Request[] = [];
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      asked.push(new Request(url, init));
      return Response.json({});
    };
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
    await new AsyncFunction('fetch', 'console', SNIPPETS.javascript(request(name)))(fetch, {
      log: () => undefined,
    });
    const [sent] = asked;
    expect([sent?.method, sent?.url]).toEqual([OPERATIONS[name].method, `http://localhost:4173/api/${name}`]);
    expect(sent?.headers.get('Authorization')).toBe('Bearer abc');
    const { example } = OPERATIONS[name];
    if (example) expect(await sent?.json()).toEqual(example);
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Runs Python in which `requests` and `aleph_alpha_client` are stand-ins that print what they are given. */
const STAND_INS = `
import sys, types, json
class Anything:
    def __init__(self, *args, **fields): self.args, self.fields = args, fields
    def __getattr__(self, name): return lambda *args, **fields: None
class Requests(types.ModuleType):
    def __getattr__(self, name):
        def call(url, headers=None, json=None):
            print(__import__("json").dumps([name, url, headers, json]))
            return types.SimpleNamespace(status_code=200, text="", json=lambda: {})
        return call
class Enumeration(type):
    def __getattr__(cls, name): return name
class Client(types.ModuleType):
    def __getattr__(self, name):
        return Enumeration(name, (Anything,), {"from_text": staticmethod(Anything), "from_json": staticmethod(Anything)})
sys.modules["requests"] = Requests("requests")
sys.modules["aleph_alpha_client"] = Client("aleph_alpha_client")
sys.modules["aleph_alpha_client.chat"] = Client("aleph_alpha_client.chat")
sys.modules["aleph_alpha_client.embedding"] = Client("aleph_alpha_client.embedding")
sys.modules["aleph_alpha_client.steering"] = Client("aleph_alpha_client.steering")
`;

function python(code: string): string {
  return execFileSync('python3', ['-c', `${STAND_INS}\n${code}`], {
    encoding: 'utf8',
    env: { PYTHONIOENCODING: 'utf-8' },
  });
}

// The generated Python is run, which takes an interpreter.
describe.skipIf(!hasPython)('Python', () => {
  it('sends exactly the body, whatever is in it', () => {
    const [sent] = python(SNIPPETS.python(request('embed', HARD))).split('\n');
    const headers = { Authorization: 'Bearer abc' };
    expect(JSON.parse(sent ?? '')).toEqual(['post', 'http://localhost:4173/api/embed', headers, HARD]);
  });

  it.each(OPERATION_NAMES)('runs for %s, with requests and with the client', (name) => {
    expect(() => python(SNIPPETS.python(request(name)))).not.toThrow();
    expect(() => python(SNIPPETS.client(request(name)))).not.toThrow();
  });
});

describe('the Python client', () => {
  it('is given objects where it wants objects', () => {
    const body = {
      model: 'm',
      prompt: [{ type: 'text', data: 'a' }],
      target: ' b',
      prompt_granularity: { type: 'custom', delimiter: '###' },
      target_granularity: 'token',
      postprocessing: 'absolute',
      control_factor: 0,
      normalize: false,
    };
    const code = SNIPPETS.client(request('explain', body));
    for (const part of [
      'from aleph_alpha_client import Client, ExplanationRequest, Prompt, CustomGranularity, TargetGranularity, ExplanationPostprocessing',
      'client = Client(token="abc", host="http://localhost:4173/api")',
      'prompt=Prompt.from_json([{"type": "text", "data": "a"}])',
      'prompt_granularity=CustomGranularity("###")',
      'target_granularity=TargetGranularity.Token',
      'normalize=False',
      'client.explain(request, model="m")',
    ])
      expect(code).toContain(part);
  });

  it('writes a dialogue as messages, with the model in the request and in the call', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Who?' },
    ];
    const code = SNIPPETS.client(request('chat/completions', { model: 'm', messages, maximum_tokens: 4 }));
    for (const part of [
      'from aleph_alpha_client.chat import ChatRequest, Message, Role',
      'Message(role=Role.System, content="Be brief."),',
      'Message(role=Role.User, content="Who?"),',
      '    model="m",\n',
      'client.chat(request, model="m")',
    ])
      expect(code).toContain(part);
  });

  it('names a batch, documents and representations', () => {
    expect(SNIPPETS.client(request('batch_semantic_embed'))).toContain('Prompt.from_text("Wolves live in packs."),');
    expect(SNIPPETS.client(request('semantic_embed'))).toContain('SemanticRepresentation.Symmetric');
    expect(SNIPPETS.client(request('qa'))).toContain('Document.from_text("Andreas likes pizza. Marta likes soup.")');
  });
});

describe('a body that is no JSON yet', () => {
  it.each(Object.entries(SNIPPETS))('is no reason for %s to fail', (_language, snippetOf) => {
    expect(snippetOf(request('embed', '{"prompt": '))).toContain('localhost:4173');
  });
});
