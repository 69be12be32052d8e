import { afterEach, describe, expect, it } from 'vitest';
import { type ModelContext, offerTools, type ToolUse } from '../../../src/client/page-tools.ts';
import { createFakeModel } from '../../support/fakes/fake-model.ts';
import { createPage } from '../../support/fakes/page.ts';

type Tool = Parameters<ModelContext['registerTool']>[0];

const EXPLAIN = { prompt: 'An apple a day', target: ' keeps' };

/** What a browser keeps of a page's tools. */
function createContext(problem?: Error) {
  const tools = new Map<string, Tool>();
  const context: ModelContext = {
    async registerTool(tool, { signal }) {
      if (problem) throw problem;
      tools.set(tool.name, tool);
      signal.addEventListener('abort', () => tools.delete(tool.name));
    },
  };
  return { tools, context };
}

let close = () => {};
afterEach(() => close());

function offered({ problem, delayMs = 0 }: { problem?: Error; delayMs?: number } = {}) {
  const { router } = createPage({ model: createFakeModel({ delayMs }) });
  close = () => router.dispose();
  const { tools, context } = createContext(problem);
  const uses: ToolUse[] = [];
  offerTools(context, router, router.settings, (use) => void uses.push(use));
  return { tools, uses, settings: router.settings };
}

describe('offerTools', () => {
  it('offers nothing until the settings allow it, and takes the tools back when they no longer do', async () => {
    const { tools, settings } = offered();
    expect(tools.size).toBe(0);
    settings.set({ agentTools: true });
    await expect
      .poll(() => [...tools.keys()])
      .toEqual(['explain', 'evaluate', 'ask_documents', 'embed', 'search_texts']);
    expect(tools.get('explain')?.inputSchema).toMatchObject({ type: 'object', required: ['prompt', 'target'] });
    settings.set({ agentTools: false });
    expect(tools.size).toBe(0);
  });

  it('answers calls, refuses wrong ones in words, and counts both', async () => {
    const { tools, uses, settings } = offered();
    settings.set({ agentTools: true });
    await expect.poll(() => tools.size).toBe(5);
    const explain = tools.get('explain');
    expect(await explain?.execute(EXPLAIN)).toMatchObject({
      structuredContent: { explanations: [{ target: ' keeps' }] },
    });
    expect(await explain?.execute({ ...EXPLAIN, speed: 2 })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'expected model, prompt, target, prompt_granularity, got "speed"' }],
    });
    expect(uses.at(-1)).toEqual({ calls: 2, problem: null });
  });

  it.each(['the agent', 'the user'])('aborts a call that %s ends', async (who) => {
    const { tools, settings } = offered({ delayMs: 5000 });
    settings.set({ agentTools: true });
    await expect.poll(() => tools.size).toBe(5);
    const agent = new AbortController();
    const call = tools.get('explain')?.execute(EXPLAIN, { signal: agent.signal });
    if (who === 'the agent') agent.abort();
    else settings.set({ agentTools: false });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('tells why the browser does not take the tools', async () => {
    const { uses, settings } = offered({ problem: new DOMException('not here', 'NotAllowedError') });
    settings.set({ agentTools: true });
    await expect.poll(() => uses.at(-1)).toEqual({ calls: 0, problem: 'not here' });
  });
});
