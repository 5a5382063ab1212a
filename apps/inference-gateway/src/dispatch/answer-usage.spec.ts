import { FakeUpstream } from '@hone/testing/fakes';

import { AnswerRig, type RigTarget } from './answer-rig.fixture.js';

describe('the usage of a stream', () => {
  let a: FakeUpstream;
  let rigs: AnswerRig[] = [];
  beforeAll(async () => (a = await FakeUpstream.start({ name: 'a' })));
  afterAll(() => a.stop());
  afterEach(async () => {
    a.forget();
    await Promise.all(rigs.map((rig) => rig.close()));
    rigs = [];
  });

  const open = (targets: (Partial<RigTarget> & { model: string })[]) => {
    const rig = new AnswerRig(targets.map((target) => ({ fake: a, ...target })));
    rigs.push(rig);
    return rig;
  };

  it('is asked for and kept from a caller who did not ask', async () => {
    const { sink, outcome } = open([{ model: 'ok' }]).ask({ stream: true });
    await outcome;
    expect(a.lastJson().stream_options).toEqual({ include_usage: true });
    expect(sink.text).not.toContain('usage');
  });

  it('reaches a caller who asked', async () => {
    const { sink, outcome } = open([{ model: 'ok' }]).ask({ stream: true, stream_options: { include_usage: true } });
    await outcome;
    expect(sink.frames().at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 9 } });
  });

  it.each(['ok+native-usage', 'other-form'])('equals what the upstream said: %s', async (model) => {
    const { sink, outcome } = open([{ model }]).ask({ stream: true, stream_options: { include_usage: true } });
    await outcome;
    const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
    const details = {
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    expect(sink.frames().at(-1)).toMatchObject({ choices: [], model, created: 1_763_650_000 });
    expect(sink.frames().at(-1)?.usage).toEqual({ ...usage, ...details });
  });

  it('is estimated when the upstream does not tell', async () => {
    const settings = { usage: 'none' } as const;
    const { sink, outcome } = open([{ model: 'ok+no-usage', settings }]).ask({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect((await outcome).usage).toMatchObject({ completionTokens: 9, source: 'estimated' });
    expect(a.lastJson()).not.toHaveProperty('stream_options');
    expect(sink.frames().at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 9 } });
  });
});
