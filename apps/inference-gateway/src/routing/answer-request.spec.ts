import { FakeUpstream } from '@hone/testing';

import { answerOf, AnswerRig } from './answer-rig.fixture.js';

describe('answering a request', () => {
  let a: FakeUpstream;
  beforeAll(async () => (a = await FakeUpstream.start({ name: 'a' })));
  afterAll(() => a.stop());
  beforeEach(() => a.forget());

  it('streams what the upstream streams, under our id', async () => {
    const rig = new AnswerRig([{ fake: a, model: 'ok' }]);
    const { sink, outcome } = rig.ask({ stream: true });
    expect(await outcome).toMatchObject({ status: 'ok', usage: { completionTokens: 9, source: 'upstream' } });
    expect([sink.content(), sink.isDone, sink.state]).toEqual([answerOf('a'), true, 'ended']);
    expect(new Set(sink.frames().map(({ id }) => id))).toEqual(new Set(['chatcmpl-rid-1']));
    expect(sink.headers).toMatchObject({ 'hone-target': 'up0/ok', 'hone-model': 'ok', 'hone-attempts': '1' });
    await rig.close();
  });
});
