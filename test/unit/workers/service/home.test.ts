import { describe, expect, it, vi } from 'vitest';
import { createHome } from '../../../../workers/service/home.ts';

const SCRIPT = 'http://localhost:5448/service-worker.js';

/** A home whose host answers with these, one after another. */
function homeOf(...answers: readonly (Response | Error)[]) {
  const left = [...answers];
  const leave = vi.fn(async () => true);
  const ask = vi.fn(async () => {
    const answer = left.shift() ?? new Error('nothing was to be asked');
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { ...createHome({ script: SCRIPT, leave, ask }), leave, ask };
}

const script = () => new Response('', { headers: { 'Content-Type': 'text/javascript' } });

describe('the home of a service worker', () => {
  it('is there while the host sends its script', async () => {
    const { look, isThere, leave, ask } = homeOf(script());
    expect([await look(), await isThere()]).toEqual([true, true]);
    expect(leave).not.toHaveBeenCalled();
    expect(ask).toHaveBeenCalledExactlyOnceWith(SCRIPT);
  });

  it.each([
    ['nothing there', new Response('', { status: 404 })],
    ['a page in its place', new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } })],
  ])('is gone when the host has %s, and the worker leaves', async (_name, answer) => {
    const { isThere, leave } = homeOf(answer);
    expect([await isThere(), await isThere()]).toEqual([false, false]);
    expect(leave).toHaveBeenCalledOnce();
  });

  it('is looked at again for each page that is opened', async () => {
    const { look, isThere } = homeOf(script(), new Response('', { status: 404 }));
    expect(await look()).toBe(true);
    expect(await look()).toBe(false);
    expect(await isThere()).toBe(false);
  });

  it.each([
    ['fails', new Response('', { status: 503 })],
    ['asks for a sign-in', new Response('', { status: 401 })],
    ['does not know the method', new Response('', { status: 405 })],
  ])('is there while the host %s', async (_name, answer) => {
    const { isThere, leave } = homeOf(answer);
    expect(await isThere()).toBe(true);
    expect(leave).not.toHaveBeenCalled();
  });

  it('counts as there where the host takes its time, until it is known better', async () => {
    let answer: (response: Response) => void = () => undefined;
    const ask = () => new Promise<Response>((resolve) => (answer = resolve));
    const leave = vi.fn(async () => true);
    const home = createHome({ script: SCRIPT, leave, ask, momentMs: 1 });
    expect(await home.isThereSoon()).toBe(true);
    answer(new Response('', { status: 404 }));
    expect([await home.isThere(), await home.isThereSoon()]).toEqual([false, false]);
    expect(leave).toHaveBeenCalledOnce();
  });

  it('stays where the host cannot be reached', async () => {
    const { isThere, leave } = homeOf(new TypeError('Failed to fetch'));
    expect(await isThere()).toBe(true);
    expect(leave).not.toHaveBeenCalled();
  });
});
