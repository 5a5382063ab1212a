import { jest } from '@jest/globals';

import { aRequest } from '../../dispatch/answer-rig.fixture.js';
import { WholeConsumer } from './whole-consumer.js';

const LIMITS = { ttftMs: 1, responseMs: 120_000, stallMs: 15_000, doneGraceMs: 1 };
const BODY = JSON.stringify({ choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop' }] });

describe('reading a whole answer', () => {
  const open = () => {
    const host = {
      limits: LIMITS,
      frames: jest.fn(),
      complete: jest.fn(),
      fail: jest.fn(),
      expectWithin: jest.fn<(ms: number) => void>(),
    };
    const estimate = () => ({ promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 }) as never;
    const consumer = new WholeConsumer(aRequest(), { id: 'chatcmpl-1', model: null }, host, estimate);
    const push = (text: string) => consumer.onData(Buffer.from(text));
    const limits = () => host.expectWithin.mock.calls.map(([ms]) => ms);
    return { consumer, host, push, limits };
  };

  it('waits behind white space as long as for an answer, and no longer for more of it', () => {
    const { push, limits } = open();
    expect([push('\n'), push(' \n'), push('\n')]).toEqual([false, false, false]);
    expect(limits()).toEqual([LIMITS.stallMs, LIMITS.responseMs]);
    expect(push('{')).toBe(true);
    expect(limits().at(-1)).toBe(LIMITS.stallMs);
    expect([push('\n'), push(' "a": 1')]).toEqual([false, true]);
  });

  it('reads a body behind white space and a byte order mark', () => {
    const { consumer, host, push } = open();
    for (const part of ['\n\n', `\ufeff${BODY}`]) push(part);
    consumer.onEnd();
    expect(host.complete).toHaveBeenCalledWith(expect.objectContaining({ finishReasons: ['stop'] }));
  });
});
