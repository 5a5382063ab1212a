import type { Worker } from 'node:worker_threads';

import type { ServingEngine } from '@hone/engine';

import { aChatRequest, dispatch, said, useBundledTarget } from './embedded.fixture.js';

describe('EmbeddedAttempt', () => {
  const target = useBundledTarget();
  const LONG = { messages: said('hello'), temperature: 0, ignore_eos: true, max_tokens: 60, stream: true };
  const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

  it('does not call its reader before dispatch has returned', async () => {
    const { reader } = dispatch(target(), aChatRequest({ stream: true }));
    expect(reader.frames).toEqual([]);
    await reader.ended;
    expect(reader.frames[0]!.hasAnswer).toBe(false);
    expect(reader.frames.slice(1).every(({ hasAnswer }) => hasAnswer)).toBe(true);
  });

  it('holds back the frame that finishes the last choice, with the usage and the end', async () => {
    const fields = { n: 3, temperature: 0, stream: true, stream_options: { include_usage: true } };
    const { reader } = dispatch(target(), aChatRequest(fields));
    await reader.ended;
    const before = Buffer.concat(reader.frames.map(({ bytes }) => bytes)).toString();
    expect(before.match(/"finish_reason":"stop"/g)).toHaveLength(2);
    const [last, usage, ...rest] = reader.answer!.bytes.toString().split('\n\n');
    expect(last).toContain('"finish_reason":"stop"');
    expect(usage).toContain('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":9,');
    expect(rest).toEqual(['data: [DONE]', '']);
    expect(reader.answer!.usage).toEqual({
      promptTokens: 9,
      completionTokens: 9,
      cachedTokens: 0,
      reasoningTokens: 0,
      source: 'engine',
    });
  });

  it('does not call its reader while it is paused', async () => {
    const { run, reader } = dispatch(target(), aChatRequest(LONG));
    await reader.whenFrames(3);
    run.pause();
    await soon();
    const { length } = reader.frames;
    await soon();
    expect([reader.frames.length, reader.answer]).toEqual([length, null]);
    run.resume();
    await reader.ended;
    const { reader: other } = dispatch(target(), aChatRequest(LONG));
    await other.ended;
    expect(withoutTime(reader.text)).toBe(withoutTime(other.text));
  });

  it('ends at once while it is paused', async () => {
    const { run, reader } = dispatch(target(), aChatRequest(LONG));
    await reader.whenFrames(3);
    run.pause();
    run.abort();
    const { length } = reader.frames;
    await soon();
    expect([reader.frames.length, reader.answer, reader.failure]).toEqual([length, null, null]);
  });

  it('ends before it has begun', async () => {
    const { run, reader } = dispatch(target(), aChatRequest(LONG));
    run.abort();
    await soon();
    expect([reader.frames, reader.answer, reader.failure]).toEqual([[], null, null]);
  });

  it('fails when the engine dies, and the next one is answered', async () => {
    const { reader } = dispatch(target(), aChatRequest({ ...LONG, max_tokens: 900 }));
    await reader.whenFrames(3);
    killWorker((target() as unknown as { base: { engine: ServingEngine } }).base.engine);
    await reader.ended;
    expect(reader.failure).toEqual({ reason: 'crashed', message: expect.any(String) });
    const next = dispatch(target(), aChatRequest({ temperature: 0 })).reader;
    await next.ended;
    expect(next.text).toContain('"content":"cat"');
  });
});

const withoutTime = (text: string): string => text.replaceAll(/"created":\d+/g, '');

/** A message that is none ends the thread with an error. Terminated amid a native call it would end the process. */
const killWorker = (engine: ServingEngine): void =>
  (engine as unknown as { thread: { worker: Worker } }).thread.worker.postMessage(null);
