import { newId } from '@hone/database';
import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import { COST_NANO_USD, fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

describe('choices of a model that gives one at a time', () => {
  let fake: FakeUpstream;
  let gateway: FaultyGateway;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'a' });
    const models = [
      { name: 'ok', n: 1 },
      { name: 'status@500', n: 1 },
    ];
    gateway = await startFaultyGateway({
      // `n` is no field that it honours, and it is not sent.
      upstreams: [fakeUpstream(fake, 'single', [], { models, params: ['stream', 'stream_options'], retries: 0 })],
      routes: ['ok', 'status@500'].map((model) => routeTo(model, { upstream: 'single', model })),
    });
  });
  beforeEach(() => fake.forget());
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  it.each([false, true])('are one answer, one usage record and one call (streamed: %s)', async (stream) => {
    const rid = newId();
    const answer = await gateway.client.ask({ model: 'ok', n: 3, stream }, { 'x-request-id': rid });
    expect({ status: answer.status, isWhole: answer.isWhole, reasons: answer.finishReasons }).toEqual({
      ...{ status: 200, isWhole: true, reasons: ['stop', 'stop', 'stop'] },
    });
    expect(fake.count()).toBe(3);
    for (const { body } of fake.requests) expect(JSON.parse(body.toString())).not.toHaveProperty('n');
    const used = await gateway.used(rid);
    expect(used).toMatchObject({ promptTokens: 27, completionTokens: 27, costNanoUsd: 3 * COST_NANO_USD });
    expect(used.attempts).toHaveLength(1);
    const calls = await gateway.sql<{ output: { choices: { index: number; message: { content: string } }[] } }>(
      `SELECT output_text::json output FROM call_values WHERE id = '${rid}'`,
    );
    expect(calls.map(({ output }) => output.choices.map(({ index, message }) => [index, message.content]))).toEqual([
      [0, 1, 2].map((index) => [index, answerOf('a')]),
    ]);
  });

  it('fail together', async () => {
    const rid = newId();
    const answer = await gateway.client.ask({ model: 'status@500', n: 3 }, { 'x-request-id': rid });
    expect({ status: answer.status, code: answer.errorCode }).toEqual({ status: 502, code: 'upstream_failed' });
    expect((await gateway.used(rid)).isBilled).toBe(false);
  });
});
