import { describe, expect, it, vi } from 'vitest';
import { createSiteProbe } from '../../../../workers/service/site.ts';

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
  return { ...createSiteProbe({ script: SCRIPT, unregister: leave, fetchHead: ask }), leave, ask };
}

const script = () => new Response('', { headers: { 'Content-Type': 'text/javascript' } });

describe('the home of a service worker', () => {
  it('is there while the host sends its script', async () => {
    const { probe, responds, leave, ask } = homeOf(script());
    expect([await probe(), await responds()]).toEqual([true, true]);
    expect(leave).not.toHaveBeenCalled();
    expect(ask).toHaveBeenCalledExactlyOnceWith(SCRIPT);
  });

  it.each([
    ['nothing there', new Response('', { status: 404 })],
    ['a page in its place', new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } })],
  ])('is gone when the host has %s, and the worker leaves', async (_name, answer) => {
    const { responds, leave } = homeOf(answer);
    expect([await responds(), await responds()]).toEqual([false, false]);
    expect(leave).toHaveBeenCalledOnce();
  });

  it('is known to be gone before its cached files are removed', async () => {
    const leave = () => new Promise<never>(() => undefined);
    const answer = async () => new Response('', { status: 404 });
    const home = createSiteProbe({ script: SCRIPT, unregister: leave, fetchHead: answer });
    expect(await home.responds()).toBe(false);
    expect(await home.respondsSoon()).toBe(false);
  });

  it('is looked at again for each page that is opened', async () => {
    const { probe, responds } = homeOf(script(), new Response('', { status: 404 }));
    expect(await probe()).toBe(true);
    expect(await probe()).toBe(false);
    expect(await responds()).toBe(false);
  });

  it.each([
    ['fails', new Response('', { status: 503 })],
    ['asks for a sign-in', new Response('', { status: 401 })],
    ['does not know the method', new Response('', { status: 405 })],
  ])('is there while the host %s', async (_name, answer) => {
    const { responds, leave } = homeOf(answer);
    expect(await responds()).toBe(true);
    expect(leave).not.toHaveBeenCalled();
  });

  it('counts as there where the host takes its time, until it is known better', async () => {
    let answer: (response: Response) => void = () => undefined;
    const ask = () => new Promise<Response>((resolve) => (answer = resolve));
    const leave = vi.fn(async () => true);
    const home = createSiteProbe({ script: SCRIPT, unregister: leave, fetchHead: ask, timeoutMs: 1 });
    expect(await home.respondsSoon()).toBe(true);
    answer(new Response('', { status: 404 }));
    expect([await home.responds(), await home.respondsSoon()]).toEqual([false, false]);
    expect(leave).toHaveBeenCalledOnce();
  });

  it('stays where the host cannot be reached', async () => {
    const { responds, leave } = homeOf(new TypeError('Failed to fetch'));
    expect(await responds()).toBe(true);
    expect(leave).not.toHaveBeenCalled();
  });
});
