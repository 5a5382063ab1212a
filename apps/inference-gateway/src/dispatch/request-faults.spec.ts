import { FakeUpstream } from '@hone/testing/fakes';

import { AnswerRig } from './answer-rig.fixture.js';

/** Requests of one caller that the upstream cannot answer, and what each is answered with. */
const BAD_REQUESTS = [
  {
    what: 'an error that blames the request',
    model: 'error-body+code@400',
    n: 1,
    status: 400,
    code: 'upstream_rejected',
  },
  { what: 'a status that blames the request', model: 'status@501', n: 1, status: 400, code: 'upstream_rejected' },
  { what: 'an answer that is too large', model: 'big-body@65', n: 1, status: 502, code: 'upstream_invalid' },
] as const;

describe('a request that its upstream answers wrongly', () => {
  let fake: FakeUpstream;
  let rigs: AnswerRig[] = [];
  beforeAll(async () => (fake = await FakeUpstream.start()));
  afterAll(() => fake.stop());
  beforeEach(() => fake.forget());
  afterEach(async () => {
    await Promise.all(rigs.map((rig) => rig.close()));
    rigs = [];
  });
  const open = (model: string) => {
    const rig = new AnswerRig([{ fake, model }]);
    rigs.push(rig);
    return rig;
  };

  it.each(BAD_REQUESTS)('leaves the target to the others: $what', async ({ model, n, status, code }) => {
    const rig = open(model);
    for (let count = 1; count <= 4; count++) {
      const { failure } = await rig.ask({ n }).outcome;
      expect(failure?.code).toEqual(code);
      expect(fake.count()).toEqual(count);
      expect(failure?.status).toEqual(status);
    }
    expect(rig.states[0]?.breaker.state).toBe('closed');
    expect(rig.states[0]?.isUsable).toBe(true);
  });

  it.each(['ok+one-choice', 'no-done-end+one-choice'])(
    'learns that n is ignored by %s, and asks for one at a time',
    async (model) => {
      const rig = open(model);
      const { failure } = await rig.ask({ n: 2 }).outcome;
      expect({ code: failure?.code, status: failure?.status }).toEqual({ code: 'upstream_invalid', status: 502 });
      expect(fake.count()).toBe(1);
      expect(rig.states[0]?.breaker.state).toBe('closed');
      expect(rig.states[0]?.isUsable).toBe(true);
      const { sink, outcome } = rig.ask({ n: 2 });
      expect((await outcome).status).toBe('ok');
      expect(JSON.parse(sink.text).choices).toHaveLength(2);
      expect(fake.count()).toBe(3);
      rig.states[0]?.readmit();
      expect((await rig.ask({ n: 2 }).outcome).failure?.code).toBe('upstream_invalid');
    },
  );

  it('leaves the target to the others in streams, too', async () => {
    const rig = open('ok+one-choice');
    const { sink, outcome } = rig.ask({ n: 2, stream: true });
    expect((await outcome).status).toBe('failed');
    expect(sink.frames().at(-1)).toMatchObject({ error: { code: 'stream_interrupted' } });
    expect((await rig.ask({ stream: true }).outcome).status).toBe('ok');
    expect((await rig.ask({ n: 2, stream: true }).outcome).status).toBe('ok');
  });

  it('is answered by another target that can', async () => {
    const rig = new AnswerRig([
      { fake, model: 'ok+one-choice' },
      { fake, model: 'ok', priority: 1 },
    ]);
    rigs.push(rig);
    expect(await rig.ask({ n: 2 }).outcome).toMatchObject({
      status: 'ok',
      attempts: [{ outcome: 'mismatched' }, { outcome: 'ok' }],
    });
  });
});
