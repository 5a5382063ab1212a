import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf, AnswerRig, type RigOptions, type RigTarget } from '../answer-rig.fixture.js';

interface Choice {
  index: number;
  finish_reason: string | null;
  delta?: { content?: string };
  message?: { content: string };
}

const PROMPT_TOKENS = 9;
const COMPLETION_TOKENS = 9;

describe('a target that gives one choice at a time', () => {
  let fake: FakeUpstream;
  const rigs: AnswerRig[] = [];
  beforeAll(async () => (fake = await FakeUpstream.start({ name: 'a' })));
  afterAll(() => fake.stop());
  beforeEach(() => fake.forget());
  afterEach(async () => {
    await Promise.all(rigs.splice(0).map((rig) => rig.close()));
  });
  const open = (model: string, more: Partial<RigTarget> = {}, options: RigOptions = {}) => {
    const rig = new AnswerRig([{ fake, model, maxChoices: 1, ...more }], {
      health: { breakerFailures: 1_000 },
      ...options,
    });
    rigs.push(rig);
    return rig;
  };
  const choicesOf = (frames: readonly Record<string, unknown>[]) =>
    frames.flatMap(({ choices }) => (choices ?? []) as Choice[]);

  it('gets a request for each, and one answer is made of them', async () => {
    const rig = open('ok');
    const { sink, outcome } = rig.ask({ n: 3, seed: 7 });
    const { status, usage, finishReasons, attempts } = await outcome;
    expect({ status, finishReasons, attempts: attempts.length }).toEqual({
      ...{ status: 'ok', finishReasons: ['stop', 'stop', 'stop'], attempts: 1 },
    });
    const body = JSON.parse(sink.text) as { id: string; choices: Choice[]; usage: Record<string, number> };
    expect(body.choices.map(({ index, message }) => [index, message?.content])).toEqual(
      [0, 1, 2].map((index) => [index, answerOf('a')]),
    );
    // The prompt counts as often as it was sent.
    const counts = { prompt_tokens: 3 * PROMPT_TOKENS, completion_tokens: 3 * COMPLETION_TOKENS };
    expect(body.usage).toMatchObject({ ...counts, total_tokens: 3 * (PROMPT_TOKENS + COMPLETION_TOKENS) });
    expect(usage).toMatchObject({ promptTokens: counts.prompt_tokens, completionTokens: counts.completion_tokens });
    const sent = fake.requests.map(({ body: asked }) => JSON.parse(asked.toString()) as { n: number; seed: number });
    expect(sent.map(({ n, seed }) => [n, seed])).toEqual([7, 8, 9].map((seed) => [1, seed]));
  });

  it.each([{}, { include_usage: true }])(
    'streams them as they come, each with its index, and ends once: %j',
    async (options) => {
      const rig = open('ok+pace@2');
      const { sink, outcome } = rig.ask({ n: 3, stream: true, stream_options: options });
      expect((await outcome).status).toBe('ok');
      const frames = sink.frames();
      const choices = choicesOf(frames);
      for (const index of [0, 1, 2]) {
        const own = choices.filter((choice) => choice.index === index);
        expect(own.map(({ delta }) => delta?.content ?? '').join('')).toBe(answerOf('a'));
        expect(own.filter(({ finish_reason: reason }) => reason !== null)).toHaveLength(1);
        expect(own.at(-1)?.finish_reason).toBe('stop');
      }
      // Side by side: the second begins before the first has ended.
      const firstEnd = choices.findIndex(({ index, finish_reason: reason }) => index === 0 && reason !== null);
      expect(choices.findIndex(({ index }) => index === 1)).toBeLessThan(firstEnd);
      for (const name of ['id', 'created', 'model']) expect(new Set(frames.map((frame) => frame[name])).size).toBe(1);
      expect(sink.text.match(/data: \[DONE\]/g)).toHaveLength(1);
      expect(sink.isDone).toBe(true);
      const usages = frames.filter(({ choices: own }) => (own as unknown[]).length === 0);
      expect(usages.map(({ usage }) => usage)).toEqual(
        'include_usage' in options ? [expect.objectContaining({ total_tokens: 54 })] : [],
      );
    },
  );

  it('is asked by no more requests at once than it has slots', async () => {
    const rig = open('ok+pace@3', { maxConcurrency: 2 });
    const asked = rig.ask({ n: 5 });
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, rig.states[0]?.inFlight ?? 0)), 1);
    expect((await asked.outcome).status).toBe('ok');
    clearInterval(watch);
    expect(most).toBe(2);
    expect(fake.count()).toBe(5);
    expect(rig.states[0]?.inFlight).toBe(0);
    expect(JSON.parse(asked.sink.text).choices).toHaveLength(5);
  });

  it('answers all or nothing: what is wrong with one choice is wrong with the answer', async () => {
    const rig = open('cut@3+times@100', {}, { limits: { retries: 0 } });
    const whole = rig.ask({ n: 3 });
    expect((await whole.outcome).failure?.status).toBe(502);
    expect(whole.sink.text).toBe('');
    const streamed = rig.ask({ n: 3, stream: true });
    expect((await streamed.outcome).failure?.code).toBe('stream_interrupted');
    expect(streamed.sink.isDone).toBe(false);
    expect(rig.states[0]?.inFlight).toBe(0);
  });

  it('is tried again, and left, by the fault table', async () => {
    const again = open('status@503+times@1');
    expect(await again.ask({ n: 2 }).outcome).toMatchObject({
      status: 'ok',
      attempts: [{ outcome: 'overloaded' }, { outcome: 'ok' }],
    });
    expect(again.states[0]?.inFlight).toBe(0);
  });

  it('stops all when the caller leaves', async () => {
    const rig = open('silent');
    const { leave, outcome } = rig.ask({ n: 3, stream: true });
    while (fake.count() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    leave();
    expect((await outcome).status).toBe('aborted');
    expect(rig.states[0]?.inFlight).toBe(0);
  });

  it('holds all back for a caller who reads slowly', async () => {
    const rig = open('ok+tokens@200');
    const asked = rig.ask({ n: 2, stream: true });
    asked.sink.isSlow = true;
    await new Promise((resolve) => setTimeout(resolve, 100));
    asked.sink.takeAll();
    expect((await asked.outcome).status).toBe('ok');
    const texts = [0, 1].map((index) =>
      choicesOf(asked.sink.frames())
        .filter((choice) => choice.index === index)
        .map(({ delta }) => delta?.content ?? '')
        .join(''),
    );
    expect(texts).toEqual([answerOf('a', 200), answerOf('a', 200)]);
  });
});
