import type { RawCall } from '../../../../src/client/raw-call.ts';
import { describe, expect, it } from 'vitest';
import { apiRequestOf } from '../../../../src/pages/api/snippets.ts';
import { OPERATION_DOCS } from '../../../../src/contract/description/operation-docs.ts';
import { createApiStore, OPERATION_NAMES } from '../../../../src/pages/api/api-store.ts';
import type { ServiceSettings } from '../../../../src/contract/settings.ts';
import { createFakeMemory } from '../../../support/fakes/fake-memory.ts';
import { CALIBRATION } from '../../../support/silent-client.ts';

type RawRequest = Parameters<RawCall>[0];
type RawAnswer = Awaited<ReturnType<RawCall>>;

const ANSWER: RawAnswer = { status: 200, headers: [], text: '{}', ms: 1 };

/** A store whose requests wait until the test settles them. */
function setUp(memory = createFakeMemory(), calibrations: ServiceSettings['calibrations'] = {}) {
  const sent: (RawRequest & { settle: (answer: RawAnswer) => void; refuse: (error: Error) => void })[] = [];
  const call = (request: RawRequest): Promise<RawAnswer> =>
    new Promise((settle, refuse) => {
      sent.push({ ...request, settle, refuse });
      request.signal?.addEventListener('abort', () => refuse(new DOMException('aborted', 'AbortError')));
    });
  const options = { call, model: 'owner/other', token: () => 'abc', settings: { get: () => ({ calibrations }) } };
  const store = createApiStore(options, memory);
  return { store, sent, state: store.getState };
}

describe('the API store', () => {
  it.each([
    [{}, 0, true],
    [{ 'owner/other': CALIBRATION }, 0.1, false],
  ])('explains as the Explain page does: %j', (calibrations, factor, isAdded) => {
    const { state } = setUp(createFakeMemory(), calibrations);
    const body: unknown = JSON.parse(apiRequestOf(state()).body ?? '');
    expect(body).toMatchObject({ control_factor: factor, control_log_additive: isAdded });
  });

  it('starts with an example for each operation, and sends it', async () => {
    const { state, sent } = setUp();
    const done = state().send(apiRequestOf(state()));
    expect(state().phase.kind).toBe('sending');
    expect(sent[0]).toMatchObject({ method: 'POST', path: '/explain', body: apiRequestOf(state()).body });
    sent[0]?.settle(ANSWER);
    await done;
    expect(state().phase).toEqual({ kind: 'answered', answer: ANSWER });
  });

  it('offers every operation that runs a model', () => {
    const offered = OPERATION_NAMES.map((name) => `/${name}`);
    expect(offered).toEqual(expect.arrayContaining(Object.values(OPERATION_DOCS).map(({ path }) => path)));
  });

  it('sends a body as it was written, JSON or not, and none where there is none', async () => {
    const { state, sent } = setUp();
    state().edit('{"prompt":');
    void state().send(apiRequestOf(state()));
    state().choose('version');
    void state().send(apiRequestOf(state()));
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/explain', '{"prompt":'],
      ['GET', '/version', null],
    ]);
  });

  it('keeps each body with its operation, over a reload too, until it is reset', () => {
    const memory = createFakeMemory();
    const { state } = setUp(memory);
    state().edit('{"a":1}');
    state().choose('embed');
    expect(apiRequestOf(state()).body).toContain('"layers"');
    state().choose('explain');
    const again = setUp(memory).state;
    expect([again().operation, apiRequestOf(again()).body]).toEqual(['explain', '{"a":1}']);
    again().reset();
    expect(apiRequestOf(again()).body).toContain('"target"');
    again().undo();
    expect(apiRequestOf(again()).body).toBe('{"a":1}');
    again().undo(); // there is nothing any more
    expect(apiRequestOf(again()).body).toBe('{"a":1}');
  });

  it('aborts an older request, whose answer changes nothing any more', async () => {
    const { state, sent } = setUp();
    const first = state().send(apiRequestOf(state()));
    const second = state().send(apiRequestOf(state()));
    expect(sent[0]?.signal?.aborted).toBe(true);
    sent[1]?.settle(ANSWER);
    await Promise.all([first, second]);
    expect(state().phase.kind).toBe('answered');
    const third = state().send(apiRequestOf(state()));
    state().cancel();
    await third;
    expect(state().phase.kind).toBe('idle');
  });

  it('says so when no answer came at all', async () => {
    const { state, sent } = setUp();
    const done = state().send(apiRequestOf(state()));
    sent[0]?.refuse(new TypeError('Failed to fetch'));
    await done;
    expect(state().phase).toEqual({ kind: 'failed', message: 'Failed to fetch' });
  });

  it.each([
    ['5', '3'],
    ['"nothing"', '{"embed":3}'],
    ['"embed"', 'null'],
    ['"embed"', '{"nothing":"a"}'],
  ])('forgets what it cannot read: operation %s, bodies %s', (operation, bodies) => {
    const wrapped = (value: string) => `{"version":1,"value":${value}}`;
    const memory = { 'lightwell.api.operation': wrapped(operation), 'lightwell.api.bodies': wrapped(bodies) };
    const { state } = setUp(createFakeMemory(memory));
    expect(state().operation).toBe(operation === '"embed"' ? 'embed' : 'explain');
    expect(state().bodies).toEqual({});
  });
});
