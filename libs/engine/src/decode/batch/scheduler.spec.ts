import { plainLogProbabilities, plainWeights } from '../../model/plain-decoder.fixture.js';
import {
  aRequest,
  aScheduler,
  generateAlone,
  Generation,
  openTestModel,
  runAll,
  type TestModel,
} from './generation.fixture.js';

describe('Scheduler', () => {
  let test: TestModel;

  beforeAll(async () => {
    test = await openTestModel();
  });
  afterAll(() => test.close());

  const idsOf = (generation: Generation) => generation.answers.map(({ ids }) => ids);

  it('generates greedily what a plain forward pass finds likeliest, with its log-probabilities', async () => {
    const { config, weights } = test.random;
    const [answer] = (await generateAlone(test, { sampling: { temperature: 0 } })).answers;
    const sequence = [...aRequest().promptIds, ...answer!.ids];
    const expected = plainLogProbabilities(config, plainWeights(weights), sequence).slice(
      aRequest().promptIds.length - 1,
      -1,
    );
    expect(answer!.ids).toEqual(expected.map((row) => row.indexOf(Math.max(...row))));
    answer!.reports.forEach(({ id, logProbability }, index) =>
      expect(logProbability).toBeCloseTo(expected[index]![id]!, 5),
    );
    expect(answer!.finish).toEqual({
      kind: 'finish',
      choice: 0,
      finishReason: 'length',
      stopReason: null,
      completionTokens: 12,
    });
  });

  it('moves a row to a larger batch when its cache is full', async () => {
    const { config, weights } = test.random;
    const [answer] = (await generateAlone(test, { sampling: { temperature: 0 }, maxTokens: 150 })).answers;
    const sequence = [...aRequest().promptIds, ...answer!.ids];
    const expected = plainLogProbabilities(config, plainWeights(weights), sequence).at(-2)!;
    expect(answer!.reports.at(-1)!.logProbability).toBeCloseTo(expected[answer!.ids.at(-1)!]!, 5);
  });

  it('gives a seed the same answer whatever runs beside it', async () => {
    const wanted = { sampling: { seed: 9n }, maxTokens: 70 };
    const alone = await generateAlone(test, wanted);
    const scheduler = aScheduler({ promptTokensPerTurn: 5 });
    const others = [3, 60, 100].map((length, index) => ({
      promptIds: Array.from({ length }, (_, at) => (at * 7 + index) % 250),
      maxTokens: 20 * (index + 1),
      sampling: { seed: BigInt(index) },
    }));
    new Generation(scheduler, aRequest(others[0]), test.model);
    new Generation(scheduler, aRequest(others[1]), test.model);
    for (let turn = 0; turn < 15; turn++) await scheduler.turn();
    const among = new Generation(scheduler, aRequest(wanted), test.model);
    new Generation(scheduler, aRequest(others[2]), test.model);
    await runAll(scheduler);
    expect(among.answers).toEqual(alone.answers);
  });

  it('samples nothing for a paused request, and then goes on as if it had never been paused', async () => {
    const alone = await generateAlone(test, { maxTokens: 30 });
    const scheduler = aScheduler();
    const paused = new Generation(scheduler, aRequest({ maxTokens: 30 }), test.model);
    const other = new Generation(scheduler, aRequest({ maxTokens: 30, sampling: { seed: 3n } }), test.model);
    for (let turn = 0; turn < 5; turn++) await scheduler.turn();
    paused.pause(true);
    const before = paused.events.length;
    while (!other.answers[0]?.finish) await scheduler.turn();
    expect(await scheduler.turn()).toBe(false);
    expect(paused.events).toHaveLength(before);
    paused.pause(false);
    await runAll(scheduler);
    expect(paused.answers).toEqual(alone.answers);
  });

  it('draws choice i with seed + i, from one prefill', async () => {
    const three = await generateAlone(test, { choices: 3, sampling: { seed: 5n } });
    const apart = await Promise.all([5n, 6n, 7n].map((seed) => generateAlone(test, { sampling: { seed } })));
    expect(idsOf(three)).toEqual(apart.flatMap(idsOf));
    expect(three.events.filter(({ kind }) => kind === 'prompt')).toHaveLength(1);
    expect(new Set(idsOf(three).map(String)).size).toBe(3);
  });

  it('decodes more choices than it has rows', async () => {
    const scheduler = aScheduler({ maxRows: 2 });
    const generation = new Generation(scheduler, aRequest({ choices: 5, sampling: { seed: 5n } }), test.model);
    await runAll(scheduler);
    expect(idsOf(generation)).toEqual(idsOf(await generateAlone(test, { choices: 5, sampling: { seed: 5n } })));
    expect(scheduler.load).toEqual({ rows: 0, waitingJobs: 0 });
  });

  it('keeps to the cap on cache tokens', async () => {
    const scheduler = aScheduler({ maxCacheTokens: 128 });
    for (let index = 0; index < 5; index++) new Generation(scheduler, aRequest(), test.model);
    await scheduler.turn();
    expect(scheduler.load).toEqual({ rows: 2, waitingJobs: 3 });
    await runAll(scheduler);
    expect(scheduler.load.rows).toBe(0);
  });

  it('starts the lowest priority first, of equal ones the earliest', async () => {
    const scheduler = aScheduler({ maxRows: 1 });
    const order: string[] = [];
    const names = ['late', 'first', 'second', 'urgent'];
    [1, 0, 0, -3].forEach((priority, index) => {
      scheduler.submit(aRequest({ priority, maxTokens: 2 }), test.model, {
        emit: ({ kind }) => kind === 'prompt' && order.push(names[index]!),
        fail: () => undefined,
      });
    });
    await runAll(scheduler);
    expect(order).toEqual(['urgent', 'first', 'second', 'late']);
  });

  it('ends an aborted request within one token, in the queue too', async () => {
    const scheduler = aScheduler({ maxRows: 1 });
    const running = new Generation(scheduler, aRequest({ maxTokens: 100 }), test.model);
    const queued = new Generation(scheduler, aRequest(), test.model);
    for (let turn = 0; turn < 4; turn++) await scheduler.turn();
    const tokens = running.answers[0]!.ids.length;
    running.abort();
    queued.abort();
    await runAll(scheduler);
    expect(running.answers[0]!.ids.length).toBe(tokens);
    expect(queued.events).toEqual([]);
    expect(scheduler.load).toEqual({ rows: 0, waitingJobs: 0 });
  });

  it('decodes running answers during a long prefill', async () => {
    const scheduler = aScheduler({ promptTokensPerTurn: 16 });
    const running = new Generation(scheduler, aRequest({ maxTokens: 100 }), test.model);
    await scheduler.turn();
    const promptIds = Array.from({ length: 160 }, (_, index) => index);
    const long = new Generation(scheduler, aRequest({ promptIds }), test.model);
    const before = running.answers[0]!.ids.length;
    for (let turn = 0; turn < 9; turn++) await scheduler.turn();
    expect(long.prompt).toBeUndefined();
    expect(running.answers[0]!.ids.length).toBe(before + 9);
    await runAll(scheduler);
  });

  it('reports the log-probabilities of the prompt, the first token apart', async () => {
    const { config, weights } = test.random;
    const { promptIds } = aRequest();
    const { prompt } = await generateAlone(test, { promptLogProbabilities: 2 });
    const expected = plainLogProbabilities(config, plainWeights(weights), promptIds);
    expect(prompt!.logProbabilities![0]).toBeNull();
    prompt!.logProbabilities!.slice(1).forEach((report, index) => {
      const row = expected[index]!;
      expect(report!.id).toBe(promptIds[index + 1]);
      expect(report!.logProbability).toBeCloseTo(row[report!.id]!, 5);
      expect(report!.rank).toBe(1 + row.filter((value) => value > row[report!.id]!).length);
      expect(report!.top.map(({ id }) => id)).toEqual(topTwo(row));
    });
  });

  it.each([
    ['context_length_exceeded', { promptIds: Array.from({ length: 256 }, () => 1) }],
    ['engine.prompt_empty', { promptIds: [] }],
    ['engine.token_unknown', { promptIds: [288] }],
    ['engine.token_unknown', { sampling: { logitBias: new Map([[288, 1]]) } }],
    ['engine.token_unknown', { sampling: { allowedTokenIds: [-1] } }],
  ])('refuses with %s', (code, overrides) => {
    expect(() => new Generation(aScheduler(), aRequest(overrides), test.model)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('clips the answer to the rest of the context', async () => {
    const promptIds = Array.from({ length: 250 }, (_, index) => index);
    const { answers } = await generateAlone(test, { promptIds, maxTokens: null });
    expect(answers[0]!.finish).toMatchObject({ finishReason: 'length', completionTokens: 6 });
  });

  it('fails a request that no token can satisfy, and no other', async () => {
    const scheduler = aScheduler();
    const allowedTokenIds = [97];
    const stuck = new Generation(scheduler, aRequest({ sampling: { allowedTokenIds, badWords: ['aa'] } }), test.model);
    const other = new Generation(scheduler, aRequest(), test.model);
    await runAll(scheduler);
    expect(stuck.error).toMatchObject({ code: 'constraint_dead_end' });
    expect(other.answers[0]!.finish).not.toBeNull();
  });
});

describe('Scheduler with several checkpoints', () => {
  it('answers each request with its own weights', async () => {
    const base = await openTestModel();
    const tuned = await openTestModel({ seed: 2 });
    const model = { ...tuned.model, id: 'tuned', base: base.model.base };
    const wanted = { sampling: { temperature: 0 } };
    const scheduler = aScheduler();
    const generations = [base.model, model, base.model].map(
      (each) => new Generation(scheduler, aRequest(wanted), each),
    );
    await runAll(scheduler);
    const [first, second, third] = generations.map(({ answers }) => answers);
    expect(second).toEqual((await generateAlone(tuned, wanted)).answers);
    expect(third).toEqual(first);
    expect(second).not.toEqual(first);
  });
});

describe('Scheduler with a prefix cache', () => {
  let test: TestModel;
  const promptIds = Array.from({ length: 50 }, (_, index) => (index * 3) % 200);

  beforeEach(async () => {
    test = await openTestModel({ prefixTokens: 256 });
  });
  afterEach(() => test.close());

  it('reuses a common beginning with equal results', async () => {
    const changed = [...promptIds.slice(0, 40), 9, 9, 9];
    const uncached = await openTestModel();
    await generateAlone(test, { promptIds });
    const reused = await generateAlone(test, { promptIds: changed });
    expect(reused.prompt!.cachedTokens).toBe(32);
    expect(reused.answers).toEqual((await generateAlone(uncached, { promptIds: changed })).answers);
  });

  it('computes the last token of a cached prompt again', async () => {
    const whole = promptIds.slice(0, 48);
    await generateAlone(test, { promptIds: whole });
    expect((await generateAlone(test, { promptIds: whole })).prompt!.cachedTokens).toBe(32);
  });

  it('shares nothing between cache salts, nor between checkpoints', async () => {
    await generateAlone(test, { promptIds, cacheSalt: 'one' });
    const cached = async (model: TestModel, cacheSalt: string | null) =>
      (await generateAlone(model, { promptIds, cacheSalt })).prompt!.cachedTokens;
    expect(await cached(test, 'two')).toBe(0);
    expect(await cached({ ...test, model: { ...test.model, id: 'other' } }, 'one')).toBe(0);
    expect(await cached(test, 'one')).toBe(48);
  });

  it('evicts the least recently used blocks', async () => {
    await generateAlone(test, { promptIds });
    for (let index = 0; index < 6; index++) {
      await generateAlone(test, { promptIds: promptIds.map((id) => id + index + 1) });
    }
    expect((await generateAlone(test, { promptIds })).prompt!.cachedTokens).toBe(0);
  });
});

function topTwo(row: readonly number[]): number[] {
  return [...row.keys()].sort((a, b) => row[b]! - row[a]!).slice(0, 2);
}
