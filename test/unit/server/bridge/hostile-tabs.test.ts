import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfToken } from '../../../../src/protocol/frames/frames.ts';
import { PRESENCE, TOKEN } from '../../../support/fakes/fake-tab.ts';
import { openHostileTabs, type HostileTabs } from '../../../support/fakes/neighbourhood.ts';
import { openRawTab, webSocketFrame } from '../../../support/fakes/raw-socket.ts';

const LIMITS = { maxIdleBytes: 4096, presenceMs: 400, maxFrameBytes: 100_000 };

let place: HostileTabs;
beforeAll(async () => {
  place = await openHostileTabs({ limits: LIMITS });
});
afterAll(() => place.close());

/** A hostile tab: its hash fits no token that anybody has. */
const presence = { ...PRESENCE, attention: 'focused', tokenHash: await hashOfToken('nobody’s') };
const json = (frame: object): Buffer => webSocketFrame(JSON.stringify(frame));
const said = (more: object): Buffer => json({ ...presence, ...more });
const answer = { type: 'answer', id: 1, status: 200, headers: {}, body: '"stolen"' };
const [CONTINUATION, BINARY, CLOSE, PING, PONG] = [0, 2, 8, 9, 10];
/** How a frame begins by which the server hangs up; the connection itself it ends half a second later. */
const GOODBYE = '\x88';
const bytes = (...all: number[]): Uint8Array => Uint8Array.from(all);

/** Closed: with a reason, or by a broken connection where the bytes make no frames. */
const CLOSED: readonly (readonly [name: string, ...sent: Uint8Array[]])[] = [
  ['no mask', webSocketFrame(JSON.stringify(presence), { isMasked: false })],
  ['reserved bits', webSocketFrame(JSON.stringify(presence), { reservedBits: 4 })],
  ['an unknown opcode', webSocketFrame('', { opcode: 3 })],
  ['a control frame in pieces', webSocketFrame('', { opcode: PING, isFinal: false })],
  ['a control frame of 126 bytes', webSocketFrame('x'.repeat(126), { opcode: PING })],
  ['a continuation of nothing', webSocketFrame('{}', { opcode: CONTINUATION })],
  ['a new message within another', webSocketFrame('{', { isFinal: false }), webSocketFrame('}')],
  ['a length of a terabyte', webSocketFrame('', { declaredLength: 2n ** 40n })],
  ['a length beyond 2⁶³', webSocketFrame('', { declaredLength: 2n ** 63n })],
  ['a message that is too large', webSocketFrame('x'.repeat(8192))],
  ['a message that grows', ...Array.from({ length: 9 }, () => webSocketFrame('x'.repeat(1000), { isFinal: false }))],
  ['twenty thousand empty pieces', ...Array.from({ length: 20_000 }, () => webSocketFrame('', { isFinal: false }))],
  ['bytes', webSocketFrame(JSON.stringify(presence), { opcode: BINARY })],
  ['text that is no UTF-8', webSocketFrame(bytes(0xff, 0xfe))],
  ['a close of one byte', webSocketFrame(bytes(3), { opcode: CLOSE })],
  ['a close for a reason that there is not', webSocketFrame(bytes(0x03, 0xed), { opcode: CLOSE })],
  ['HTTP in place of frames', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['silence from the start'],
  ['nothing but pings', ...Array.from({ length: 2500 }, () => webSocketFrame('', { opcode: PING }))],
  ['nothing but pongs', ...Array.from({ length: 2500 }, () => webSocketFrame('', { opcode: PONG }))],
  ['a flood of presence', ...Array.from({ length: 2500 }, () => said({}))],
  ['a flood of answers that nobody asked for', said({}), ...Array.from({ length: 2500 }, () => json(answer))],
  ['empty text', webSocketFrame('')],
  ['JSON a hundred deep', webSocketFrame(`${'['.repeat(100)}${']'.repeat(100)}`)],
  ['JSON two thousand deep in a field', webSocketFrame(`{"type":"presence","x":${'['.repeat(2000)}`)],
  ['a frame of the server', json({ type: 'request', id: 1, method: 'GET', path: '/', headers: {}, body: null })],
  ['an inherited type', webSocketFrame('{"__proto__":{"type":"end"},"id":1}')],
  ['an id beyond all numbers', webSocketFrame('{"type":"end","id":1e999}')],
  ['an id beyond exact numbers', webSocketFrame('{"type":"end","id":9007199254740993}')],
  ['no hash', said({ tokenHash: undefined })],
  ['null for a hash', said({ tokenHash: null })],
  ['a token for a hash, too long', said({ tokenHash: `${TOKEN}0` })],
  ['a hash in capitals', said({ tokenHash: 'A'.repeat(64) })],
  ['a list of hashes', said({ tokenHash: [presence.tokenHash] })],
  ['a thousand origins', said({ allowedOrigins: Array.from({ length: 200 }, () => 'a') })],
  ['an origin of a thousand letters', said({ allowedOrigins: ['a'.repeat(1000)] })],
  ['an origin that is a number', said({ allowedOrigins: [1] })],
  ['an attention above all', said({ attention: 'most' })],
  ['infinity for a time-out', webSocketFrame(JSON.stringify(presence).replace('5000', '1e999'))],
];

/** Kept: nothing is wrong with what it says, and nobody believes it. */
const KEPT: readonly (readonly [name: string, ...sent: Uint8Array[]])[] = [
  ['an answer to a request of another tab', said({}), json(answer)],
  ['a whole stream for another tab', said({}), json({ ...answer, type: 'begin' }), json({ type: 'end', id: 1 })],
  ['a failure for another tab', said({}), json({ type: 'broken', id: 1, reason: 'x' })],
  ['acceptance of what it was not asked', said({}), json({ type: 'accepted', id: 2 })],
  ['the token itself as its hash', said({ tokenHash: TOKEN })],
  ['a hash of zeros', said({ tokenHash: '0'.repeat(64) })],
  ['every origin there is', said({ allowedOrigins: ['*', 'null', 'https://evil.example'] })],
  ['unknown fields and prototype keys', webSocketFrame(`{"__proto__":{"x":1},${JSON.stringify(presence).slice(1)}`)],
  ['one presence, byte by byte', ...Array.from(said({}), (byte) => bytes(byte))],
  [
    'one presence in pieces',
    webSocketFrame(JSON.stringify(presence).slice(0, 40), { isFinal: false }),
    webSocketFrame(JSON.stringify(presence).slice(40), { opcode: CONTINUATION }),
  ],
];

describe('a hostile tab', () => {
  it.each(CLOSED)('that sends %s loses its line', async (_name, ...sent) => {
    const raw = await openRawTab(place.server.url);
    const before = raw.received().length;
    for (const each of sent) raw.send(each);
    while (!raw.received().slice(before).includes(GOODBYE) && !raw.isClosed()) await raw.more();
    await place.isWell();
    raw.destroy();
  });

  it.each(KEPT)('that sends %s changes nothing', async (_name, ...sent) => {
    const raw = await openRawTab(place.server.url);
    const before = raw.received().length;
    for (const each of sent) raw.send(each);
    raw.send(webSocketFrame('seen', { opcode: PING }));
    while (!raw.received().includes('seen')) await raw.more();
    await place.isWell();
    expect(raw.received().slice(before)).not.toContain('request');
    raw.destroy();
  });

  it('that goes on after it was cut is not listened to', async () => {
    const raw = await openRawTab(place.server.url);
    raw.send(webSocketFrame('nonsense'));
    while (!raw.isClosed()) {
      raw.send(said({ tokenHash: await hashOfToken(TOKEN) }));
      await Promise.race([raw.closed(), new Promise((resolve) => setTimeout(resolve, 5))]);
    }
    await place.isWell();
  });

  it('that breaks off in the middle of a frame is forgotten', async () => {
    const raw = await openRawTab(place.server.url);
    raw.send(said({}).subarray(0, 20));
    raw.destroy();
    await place.isWell();
  });
});
