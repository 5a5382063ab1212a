import { Findings } from './findings.js';
import { aChoice, assistant, ID, idsOf, LETTERS, user } from './planning.fixture.js';
import type { HistoryInput, TrajectoryInput } from './trajectory-input.js';
import { readTrajectory } from './trajectory-sequences.js';

const read = (trajectory: TrajectoryInput, allowWithoutLogprobs = false) => {
  const findings = new Findings();
  const tokens = readTrajectory(trajectory, [], { tokenizer: LETTERS, allowWithoutLogprobs }, findings);
  findings.throwIfAny();
  return tokens;
};
const history = (...items: object[]): HistoryInput => ({ messages_and_choices: items });

describe('readTrajectory', () => {
  it('trains the answer, not its prompt', () => {
    const { sequences, reason } = read(history(user('?'), aChoice([10, 11], [12, 13], [-0.1, -0.2])));
    expect(reason).toBeNull();
    expect(sequences).toEqual([{ ids: [10, 11, 12, 13], mask: [0, 0, 1, 1], old: [NaN, NaN, -0.1, -0.2] }]);
  });

  it('extends a sequence when the next prompt goes on from it', () => {
    const choices = [aChoice([10], [11], [-0.1]), aChoice([10, 11, 20, 21], [22], [-0.2])];
    expect(read(history(...choices)).sequences).toEqual([
      { ids: [10, 11, 20, 21, 22], mask: [0, 1, 0, 0, 1], old: [NaN, -0.1, NaN, NaN, -0.2] },
    ]);
  });

  it('opens a new sequence when the next prompt differs or is shorter', () => {
    const choices = [aChoice([10], [11]), aChoice([10, 12, 20], [22]), aChoice([10], [30])];
    expect(read(history(...choices)).sequences.map(({ ids }) => ids)).toEqual([
      [10, 11],
      [10, 12, 20, 22],
      [10, 30],
    ]);
  });

  it('reads additional histories after the main one, each from its own beginning', () => {
    const trajectory = { ...history(aChoice([10], [11])), additional_histories: [history(aChoice([10, 11], [12]))] };
    expect(read(trajectory).sequences.map(({ ids }) => ids)).toEqual([
      [10, 11],
      [10, 11, 12],
    ]);
  });

  it('leaves answers without logprobs as context of the next', () => {
    const silent = { ...aChoice([10], [11]), logprobs: null };
    expect(read(history(silent, aChoice([10, 11, 12], [13]))).sequences).toEqual([
      { ids: [10, 11, 12, 13], mask: [0, 0, 0, 1], old: [NaN, NaN, NaN, -0.5] },
    ]);
  });

  it('never trains the first token', () => {
    expect(read(history(aChoice([], [10, 11]))).sequences).toEqual([{ ids: [10, 11], mask: [0, 1], old: [NaN, -0.5] }]);
  });

  it.each([
    ['no_choice', history(user('?'), assistant('!'))],
    ['no_choice', {}],
    ['no_logprobs', history(user('?'), { ...aChoice([10], [11]), logprobs: { content: null } })],
    ['no_tokens', history({ ...aChoice([10], []), logprobs: { content: [], refusal: [] } })],
  ])('says %s', (reason, trajectory) => {
    expect(read(trajectory, reason === 'no_tokens')).toEqual({ sequences: [], reason });
  });

  describe('with answers without logprobs allowed', () => {
    it('renders prompt and answer, end marker included, and knows no old logprobs', () => {
      const choice = { finish_reason: 'stop', message: assistant('yo') };
      const { sequences } = read({ ...history(user('hi'), choice), tools: ['a tool'] }, true);
      const prompt = [ID.tools, 1, ID.user, ...idsOf('hi'), ID.end, ID.assistant];
      const answer = [...idsOf('yo'), ID.end];
      expect(sequences.map(({ ids }) => ids)).toEqual([[...prompt, ...answer]]);
      expect(sequences[0]?.mask).toEqual([...prompt.map(() => 0), ...answer.map(() => 1)]);
      expect(sequences[0]?.old.every(Number.isNaN)).toBe(true);
    });

    it('still takes token ids where there are some', () => {
      const choice = { ...aChoice([10], [11]), logprobs: null };
      expect(read(history(choice), true).sequences).toEqual([{ ids: [10, 11], mask: [0, 1], old: [NaN, NaN] }]);
    });
  });
});
