import Fastify from 'fastify';

import { leaveSignal } from './caller-left.decorator.js';

describe('leaveSignal', () => {
  it('is aborted when the connection closes before the answer, and not by an answer', async () => {
    const fastify = Fastify();
    let waiting!: (signal: AbortSignal) => void;
    const asked = new Promise<AbortSignal>((resolve) => (waiting = resolve));
    let answered!: AbortSignal;
    fastify.get('/slow', (_request, reply) => {
      waiting(leaveSignal(reply));
      return new Promise(() => undefined);
    });
    fastify.get('/quick', async (_request, reply) => {
      answered = leaveSignal(reply);
      return 'ok';
    });
    const address = await fastify.listen();
    const leave = new AbortController();
    const left = fetch(`${address}/slow`, { signal: leave.signal });
    const signal = await asked;
    expect(signal.aborted).toBe(false);
    leave.abort();
    await expect(left).rejects.toThrow();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.aborted).toBe(true);
    expect(await (await fetch(`${address}/quick`)).text()).toBe('ok');
    await fastify.close();
    expect(answered.aborted).toBe(false);
  });
});
