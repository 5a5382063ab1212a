import { EngineError, type OpenEmbeddingModel } from '@hone/engine';
import { jest } from '@jest/globals';

import type { AnswerReader, Attempt, ChatRequest } from '../../target.js';
import { EmbeddedEmbedder } from './embedded-embedder.js';
import { EmbeddingTarget } from './embedding-target.js';

const INFO = { dimensions: 3, shortened: null, maxTokens: 4, vocabSize: 10 };
const CRASH = new EngineError('engine.crashed', 'The serving thread ended: out of memory');

function aTarget({ encode = async () => [[1, 2]] as (number[] | null)[], embed = async () => ['[1]'] } = {}) {
  const engine = { encode: jest.fn(encode), embed: jest.fn(embed) };
  const model = { choice: { directory: '/models/m', state: '' }, info: INFO } as OpenEmbeddingModel;
  return { engine, target: new EmbeddingTarget(new EmbeddedEmbedder('m', model, engine as never), 'local') };
}

const aRequest = (fields: object = { input: 'a' }) => ({ fields }) as unknown as ChatRequest;

/** What becomes of an attempt. */
function run(target: EmbeddingTarget, request: ChatRequest): Promise<unknown> {
  return new Promise((resolve) => {
    const reader = { onComplete: resolve, onFailure: resolve } as unknown as AnswerReader;
    target.dispatch({ request } as Attempt, reader);
  });
}

describe('EmbeddingTarget', () => {
  it('encodes a request once, for its check, its size and its attempt', async () => {
    const { target, engine } = aTarget();
    const request = aRequest();
    expect(await target.check(request)).toBeNull();
    expect(await target.countTokens(request)).toBe(2);
    expect(await run(target, request)).toMatchObject({
      usage: { promptTokens: 2, completionTokens: 0, source: 'engine' },
    });
    expect(engine.encode).toHaveBeenCalledTimes(1);
  });

  it('refuses what the model cannot read, in the check and in an attempt', async () => {
    const { target } = aTarget({ encode: async () => [null] });
    const request = aRequest();
    expect(await target.check(request)).toMatchObject({ status: 400, param: 'input' });
    expect(await run(target, request)).toMatchObject({ reason: 'context_length', upstreamStatus: 400 });
  });

  it('leaves an engine that has crashed to the attempt, which may be repeated', async () => {
    const encode = jest
      .fn<() => Promise<number[][]>>()
      .mockRejectedValueOnce(CRASH)
      .mockResolvedValue([[1, 2]]);
    const { target } = aTarget({ encode });
    const request = aRequest();
    expect(await target.check(request)).toBeNull();
    expect(await run(target, request)).toMatchObject({ usage: { promptTokens: 2 } });
  });

  it('reports a crash without the reason, which is for the operator', async () => {
    const { target } = aTarget({ embed: () => Promise.reject(CRASH) });
    expect(await run(target, aRequest())).toEqual({
      reason: 'crashed',
      message: 'The embedded engine ended amid the answer.',
    });
  });

  it('reports nothing of an attempt that was aborted', async () => {
    const { target } = aTarget();
    const reader = { onComplete: jest.fn(), onFailure: jest.fn() };
    target.dispatch({ request: aRequest() } as Attempt, reader as never).abort();
    await new Promise(setImmediate);
    expect(reader.onComplete).not.toHaveBeenCalled();
    expect(reader.onFailure).not.toHaveBeenCalled();
  });
});
