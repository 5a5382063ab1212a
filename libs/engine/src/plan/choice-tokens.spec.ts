import { readChoice } from './choice-tokens.js';
import { Findings } from './findings.js';
import type { PlacedChoice } from './placed-choice.js';
import { PlanError } from './plan.errors.js';
import { aChoice, assistant, FORGETFUL, ID, LETTERS, user, VOCABULARY } from './planning.fixture.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import type { ChoiceInput } from './trajectory-input.js';

const LOC = ['trajectory_groups', 0, 'trajectories', 1, 'messages_and_choices', 2];

function read(
  choice: ChoiceInput,
  given: Partial<PlacedChoice> = {},
  allowed = false,
  tokenizer: PlanningTokenizer = LETTERS,
) {
  const findings = new Findings();
  const placed = { choice, loc: LOC, before: [user('a')], tools: undefined, ...given };
  const tokens = readChoice(placed, { tokenizer, allowWithoutLogprobs: allowed }, findings);
  findings.throwIfAny();
  return tokens;
}

function errorOf(run: () => unknown): PlanError {
  try {
    run();
  } catch (error) {
    if (error instanceof PlanError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('readChoice', () => {
  it('takes ids and logprobs from the Choice', () => {
    expect(read(aChoice([10, 11], [12], [-0.25]))).toEqual({ prompt: [10, 11], completion: [12], logprobs: [-0.25] });
  });

  it('takes the logprobs of a refusal where there is no content', () => {
    const logprobs = { content: null, refusal: [{ token: 'x', logprob: -2 }] };
    expect(read({ ...aChoice([10], [12]), logprobs })?.logprobs).toEqual([-2]);
  });

  it('reads ids from token texts, and renders the prompt', () => {
    const logprobs = { content: [{ token: 'token_id:12', logprob: -1 }] };
    expect(read({ message: assistant('b'), finish_reason: 'stop', logprobs })).toEqual({
      prompt: [ID.user, 97, ID.end, ID.assistant],
      completion: [12],
      logprobs: [-1],
    });
  });

  it('takes a logprob of a rounding error above 0', () => {
    expect(read(aChoice([10], [12], [1e-3]))?.logprobs).toEqual([1e-3]);
  });

  it.each([
    ['fewer logprobs', [12, 13], [-1]],
    ['more logprobs', [12], [-1, -1]],
  ])('refuses %s than ids', (_, ids, logprobs) => {
    const error = errorOf(() => read(aChoice([10], ids, logprobs)));
    expect([error.code, error.loc]).toEqual(['data.logprob_length_mismatch', LOC]);
    expect(error.message).toContain(`${logprobs.length} logprobs for ${ids.length} token ids`);
  });

  it.each([
    ['the vocabulary size', VOCABULARY],
    ['a negative id', -1],
    ['a fraction', 1.5],
    ['text', '7'],
    ['null', null],
  ])('refuses %s as an id', (_, id) => {
    const inAnswer = errorOf(() => read(aChoice([10], [12, id as number])));
    expect([inAnswer.code, inAnswer.loc]).toEqual(['data.token_out_of_vocab', [...LOC, 'token_ids', 1]]);
    const inPrompt = errorOf(() => read(aChoice([id as number], [12])));
    expect(inPrompt.loc).toEqual([...LOC, 'prompt_token_ids', 0]);
  });

  it.each([
    ['above the rounding error', 0.002],
    ['null', null],
    ['text', '-1'],
    ['not finite', -Infinity],
    ['not a number', NaN],
  ])('refuses a logprob %s', (_, logprob) => {
    const error = errorOf(() => read(aChoice([10], [12, 13], [-1, logprob])));
    expect([error.code, error.loc]).toEqual(['data.logprob_invalid', [...LOC, 'logprobs', 'content', 1, 'logprob']]);
  });

  it.each([false, true])('refuses logprobs without ids (answers without logprobs allowed: %s)', (allowed) => {
    const { token_ids: _, ...choice } = aChoice([10], [12]);
    const error = errorOf(() => read(choice, {}, allowed));
    expect([error.code, error.loc]).toEqual(['data.token_ids_missing', LOC]);
    expect(error.hint).toContain('return_token_ids');
  });

  it('refuses a template that rewrites the prompt once it is answered', () => {
    const before = [user('a'), assistant('b')];
    const choice = { message: user('c'), finish_reason: 'stop' };
    expect(errorOf(() => read(choice, { before }, true, FORGETFUL)).code).toBe('data.template_not_prefix');
  });

  it('passes on what the template says', () => {
    const { prompt_token_ids: _, ...choice } = aChoice([], [12]);
    const error = errorOf(() => read(choice, { before: [{ role: 'critic', content: '' }] }));
    expect([error.code, error.message]).toEqual(['data.template_refused', expect.stringContaining('no role critic')]);
  });
});
