import { FIXTURE_TOKENS } from '../../model/tokenizer/byte-level-tokenizer.fixture.js';
import type { ConstraintFactory } from '../constraints/constraint.js';
import { ConstraintThread } from '../constraints/constraint-thread.js';
import { type Answer, aRequest, generateAlone, openTestModel, type TestModel } from './generation.fixture.js';

describe('a choice', () => {
  let test: TestModel;
  let thread: ConstraintThread;

  beforeAll(async () => {
    const constraints: ConstraintFactory = { create: (source) => thread.create(source) };
    test = await openTestModel({ constraints });
    thread = new ConstraintThread(test.model.base.tokenizer, [FIXTURE_TOKENS.end], { limitMs: 5_000 });
  });
  afterAll(async () => {
    await thread.close();
    await test.close();
  });

  const answer = async (overrides: Parameters<typeof aRequest>[0]): Promise<Answer> => {
    const { answers, error } = await generateAlone(test, overrides);
    if (error !== null) throw error;
    return answers[0]!;
  };
  /** Says exactly `text`, then goes on with what the model likes. */
  const saying = (text: string) => ({ kind: 'choice' as const, options: [text] });
  const ending = { ignoreEos: false };

  it('ends with the end token, whose text is not part of the answer', async () => {
    const said = await answer({
      constraint: saying('hé😀'),
      ending,
      text: { skipSpecialTokens: false, spacesBetweenSpecialTokens: true },
    });
    expect(said.text).toBe('hé😀');
    expect(said.ids.at(-1)).toBe(FIXTURE_TOKENS.end);
    expect(said.finish).toMatchObject({ finishReason: 'stop', stopReason: null, completionTokens: said.ids.length });
  });

  it('ends where its constraint is complete, even with ignore_eos', async () => {
    const said = await answer({ constraint: saying('abc'), ending: { ignoreEos: true } });
    expect([said.text, said.finish!.finishReason]).toEqual(['abc', 'stop']);
  });

  it('ends at a stop string across tokens, and cuts the text before it', async () => {
    const said = await answer({ constraint: saying('one END two'), ending: { ...ending, stop: ['END'] } });
    expect([said.text, said.finish!.stopReason]).toEqual(['one ', 'END']);
  });

  it('keeps the stop string when it is asked to', async () => {
    const said = await answer({
      constraint: saying('one END two'),
      ending: { ...ending, stop: ['END'], includeStop: true },
    });
    expect(said.text).toBe('one END');
  });

  it('ends at a stop token', async () => {
    const said = await answer({ constraint: saying('abc'), ending: { ...ending, stopTokenIds: ['c'.charCodeAt(0)] } });
    expect([said.text, said.finish!.stopReason]).toEqual(['ab', 'c'.charCodeAt(0)]);
  });

  it('does not look for stop strings before min_tokens', async () => {
    const said = await answer({
      constraint: saying('xxyxxz'),
      sampling: { minTokens: 4 },
      ending: { ...ending, stop: ['xx'] },
    });
    expect(said.text).toBe('xxyxxz');
  });

  it('ends when its tokens repeat', async () => {
    const repetition = { maxPatternSize: 2, minPatternSize: 2, minCount: 3 };
    const said = await answer({ constraint: saying('zababababab'), ending: { ...ending, repetition } });
    expect(said.text).toBe('zababab');
    expect(said.finish).toMatchObject({ finishReason: 'stop', stopReason: 'repetition_detected' });
  });

  it('ends by length in the middle of a character with a replacement character', async () => {
    const said = await answer({ constraint: saying('a😀b'), maxTokens: 3, ending });
    expect([said.text, said.finish!.finishReason]).toEqual(['a\ufffd', 'length']);
  });

  it('gives each event the tokens whose text it carries, with their log-probabilities', async () => {
    const { events } = await generateAlone(test, {
      constraint: saying('a😀Eb'),
      ending: { ...ending, stop: ['END'] },
      topLogProbabilities: 2,
    });
    const texts = events.flatMap((event) => (event.kind === 'text' ? [event] : []));
    expect(texts.map(({ text, ids }) => [text, ids.length])).toEqual([
      ['a', 1],
      ['😀', 4],
      ['Eb', 2],
      ['', 1],
    ]);
    for (const { ids, logProbabilities } of texts) {
      expect(logProbabilities!.map(({ id }) => id)).toEqual(ids);
      for (const { top } of logProbabilities!) expect(top).toHaveLength(2);
    }
  });

  it('reports log-probabilities of the whole vocabulary, whatever is allowed', async () => {
    const free = await answer({ sampling: { temperature: 0 }, maxTokens: 1 });
    const bound = await answer({
      sampling: { allowedTokenIds: [5], temperature: 0.1 },
      topLogProbabilities: 1,
      maxTokens: 1,
    });
    expect(bound.ids).toEqual([5]);
    expect(bound.reports[0]!.top[0]!.id).toBe(free.ids[0]);
    expect(bound.reports[0]!.logProbability).toBeLessThan(free.reports[0]!.logProbability);
  });

  it('never says a bad word in 200 choices', async () => {
    const letters = [0x61, 0x62, 0x63];
    const { answers } = await generateAlone(test, {
      choices: 100,
      maxTokens: 10,
      sampling: { allowedTokenIds: letters, badWords: ['ab', 'cc'], seed: 3n },
    });
    expect(answers).toHaveLength(100);
    expect(answers.filter(({ text }) => /ab|cc/.test(text))).toEqual([]);
  });

  it('writes JSON of a schema, at a high temperature', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    };
    const constraint = { kind: 'json_schema' as const, schema, whitespace: 'none' as const, onlyDeclared: false };
    const { answers } = await generateAlone(test, {
      constraint,
      choices: 5,
      maxTokens: 60,
      sampling: { temperature: 2 },
      ending,
    });
    const whole = answers.filter(({ finish }) => finish!.finishReason === 'stop');
    expect(whole.length).toBeGreaterThan(0);
    for (const { text } of whole) expect(JSON.parse(text)).toEqual({ n: expect.any(Number) });
  });

  it('gives the same answers where the likeliest tokens are proposed', async () => {
    const schema = { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 2 };
    const constraint = { kind: 'json_schema' as const, schema, whitespace: 'none' as const, onlyDeclared: false };
    const generate = async (slowMaskMs: number) => {
      await thread.close();
      thread = new ConstraintThread(test.model.base.tokenizer, [FIXTURE_TOKENS.end], { limitMs: 5_000, slowMaskMs });
      const sampling = { temperature: 0, logitBias: new Map([[0x22, 4]]), frequencyPenalty: 1 };
      const { answers } = await generateAlone(test, { constraint, choices: 3, maxTokens: 40, sampling, ending });
      return answers.map(({ ids }) => ids);
    };
    const proposed = await generate(0);
    expect(proposed).toEqual(await generate(Infinity));
    expect(proposed[0]!.length).toBeGreaterThan(5);
  });

  it('fails with the reason when a constraint is refused', async () => {
    const { error } = await generateAlone(test, { constraint: { kind: 'regex', pattern: '(' } });
    expect(error).toMatchObject({ code: 'engine.constraint_invalid' });
  });
});
