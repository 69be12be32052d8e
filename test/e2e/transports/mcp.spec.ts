import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from '@playwright/test';
import type { OperationTypes } from '../../../src/contract/description/operation-docs.ts';
import { startHeadless } from '../../../server/headless/headless-server.ts';
import { plain } from '../fixture.ts';

const PROGRAM = join(import.meta.dirname, '../../../build/server/lightwell.mjs');
const TOKEN = 'b'.repeat(64);
const EXPLAIN = {
  prompt: "User: A table at Luigi's in Oakland at 7 pm.\nAssistant: Booked.\nRestaurant:",
  target: " Luigi's",
};

/** Places, and what is kept in each: a document about each has one sentence that says where. */
const PLANTED = [
  ['harbour office', 'spare key', 'under the brass lamp'],
  ['village school', 'old bell', 'in the attic'],
  ['bakery', 'recipe book', 'behind the flour bin'],
  ['town library', 'first map', 'in the blue cabinet'],
  ['railway museum', 'silver whistle', 'on the second shelf'],
  ['fire station', 'long ladder', 'beside the east gate'],
  ['garden centre', 'watering plan', 'in the green shed'],
  ['post office', 'red stamp', 'in the top drawer'],
  ['theatre', 'velvet curtain', 'in the cellar'],
  ['dairy', 'copper kettle', 'near the cold room'],
  ['observatory', 'star chart', 'on the north wall'],
  ['hospital', 'visitor list', 'at the reception'],
  ['boat yard', 'oak mast', 'in the long hall'],
  ['printing house', 'lead type', 'in the tin box'],
  ['swimming pool', 'rescue ring', 'by the deep end'],
  ['monastery', 'wax seal', 'in the chapel'],
  ['weather station', 'rain gauge', 'on the flat roof'],
  ['clock maker', 'golden spring', 'in the glass case'],
  ['sports club', 'winner cup', 'above the fireplace'],
  ['town hall', 'signed treaty', 'in the iron safe'],
] as const;

const sentenceOf = ([, thing, where]: (typeof PLANTED)[number]) => `The ${thing} is kept ${where}.`;

/** A document whose other sentences do not say where anything is kept. */
function documentOf(planted: (typeof PLANTED)[number]): string {
  const [place] = planted;
  return [
    `The ${place} was opened again last spring after a long repair.`,
    `On Mondays the ${place} is closed, and on all other days visitors may come until six.`,
    sentenceOf(planted),
    'Two new people started work in April, and a third one will follow after the holidays.',
    `The yearly report of the ${place} is sent to every member by letter.`,
  ].join(' ');
}

// `process.exit` waits for the compilation of WebAssembly, which takes minutes on a busy machine.
plain('a program that is stopped while it loads a model is ended by the signal, and not by waiting', async () => {
  const stoppedBy = async (args: readonly string[], stop: (child: ChildProcess) => void) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    if (args[0] === 'mcp') child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    await once(child.stdout, 'data'); // it has started, and loads its model
    stop(child);
    return ended;
  };
  const serve = ['serve', '--port', '0', '--workers', '1'];
  expect(await stoppedBy(serve, (child) => child.kill('SIGTERM'))).toEqual([null, 'SIGTERM']);
  expect(await stoppedBy(serve, (child) => child.kill('SIGINT'))).toEqual([null, 'SIGINT']);
  expect(await stoppedBy(['mcp'], (child) => child.stdin?.end())).toEqual([null, 'SIGTERM']);
});

interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text?: string }[];
}

const callTool = async (agent: Client, name: string, args: object) =>
  (await agent.callTool({ name, arguments: { ...args } })) as unknown as Called;

/** Opens a client over each transport, in turn. */
const TRANSPORTS: Readonly<Record<string, (use: (agent: Client) => Promise<void>) => Promise<void>>> = {
  'standard input and output': (use) =>
    withClient(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'] }), use),
  'Streamable HTTP': async (use) => {
    const usual = { port: 0, host: '127.0.0.1', models: undefined, workers: 1, threads: 1 };
    const server = await startHeadless({ ...usual, token: TOKEN });
    const url = new URL('/mcp', server.url);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
    await withClient(new StreamableHTTPClientTransport(url, { requestInit }), use);
    await server.close();
  },
};

async function withClient(transport: unknown, use: (agent: Client) => Promise<void>): Promise<void> {
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(transport as Parameters<Client['connect']>[0]);
  await use(agent);
  await agent.close();
}

for (const [name, open] of Object.entries(TRANSPORTS))
  plain(`an agent uses the tools over ${name}`, () =>
    open(async (agent) => {
      const { tools } = await agent.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(['explain', 'evaluate', 'ask_documents', 'embed', 'search_texts']);

      const progress: number[] = [];
      const onprogress = (each: { progress: number }) => void progress.push(each.progress);
      const explained = await agent.callTool({ name: 'explain', arguments: EXPLAIN }, undefined, { onprogress });
      expect(explained).toMatchObject({ structuredContent: { explanations: [{ target: " Luigi's" }] } });
      expect(progress.length).toBeGreaterThan(0);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));

      const stop = new AbortController();
      const long = { ...EXPLAIN, prompt: EXPLAIN.prompt.repeat(30), prompt_granularity: { type: 'token' } };
      const cancelled = agent.callTool({ name: 'explain', arguments: long }, undefined, {
        signal: stop.signal,
        onprogress: () => stop.abort('enough'),
      });
      await expect(cancelled).rejects.toThrow();

      const refused = await callTool(agent, 'evaluate', { prompt: 'a' });
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('completion_expected') }],
      });
      expect(await callTool(agent, 'embed', { prompt: 'a', colour: 1 })).toMatchObject({ isError: true });
      const wrong = { query: 'a', documents: ['b', 1] };
      expect(await callTool(agent, 'search_texts', wrong)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^PAYLOAD_ERROR: documents\[1\]: expected .*, got 1/) }],
      });
      await expect(callTool(agent, 'paint', {})).rejects.toThrow('paint');
    }),
  );

plain('an agent finds the planted sentence of every document', () =>
  TRANSPORTS['standard input and output']?.(async (agent) => {
    const all = PLANTED.map(documentOf);
    let found = 0;
    for (const planted of PLANTED) {
      const query = `Where is the ${planted[1]} kept?`;
      const ranked = await callTool(agent, 'search_texts', { query, documents: all, top_n: 3 });
      const { results } = ranked.structuredContent as OperationTypes['rerank']['answer'];
      expect(results).toHaveLength(3);
      const documents = results.map(({ index }) => ({ text: all[index] }));
      const asked = await callTool(agent, 'ask_documents', { query, documents, max_answers: 1 });
      const { answers } = asked.structuredContent as { answers: { answer: string; evidence: string }[] };
      if (answers[0]?.evidence.includes(sentenceOf(planted))) found += 1;
    }
    expect(found).toBe(PLANTED.length);
  }),
);
