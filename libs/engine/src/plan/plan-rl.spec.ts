import fc from 'fast-check';

import { type Plan, trainedTokensOf } from './plan.js';
import { planRl } from './plan-rl.js';
import { aChoice, answering, LETTERS, user, VOCABULARY } from './planning.fixture.js';
import { resolveRlConfig, type RlConfigInput } from './rl-config.js';
import type { TrajectoryGroupInput } from './trajectory-input.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const plan = (groups: TrajectoryGroupInput[], config: RlConfigInput = {}, context: object = {}): Plan =>
  planRl(groups, resolveRlConfig(config), { tokenizer: LETTERS, contextLength: 4096, parentStep: 0, ...context });
const allSequences = ({ rows }: Plan) => rows.flatMap(({ sequences }) => sequences);
const group = (...trajectories: object[]): TrajectoryGroupInput => ({ trajectories });
const range = (count: number, from = 10) => Array.from({ length: count }, (_, at) => from + (at % 100));

/** A good short answer and a bad long one. */
const TWO = group(answering(1, [10, 11], [12]), answering(0, [10, 11], [13, 14, 15]));

describe('planRl', () => {
  it('plans a group: context, trained tokens, their old logprobs, advantage and weight', () => {
    const { rows, counts, trajectories } = plan([TWO]);
    // Weights 2 and 2/3 have mean 1 over 1 + 3 tokens; |A| is 1 for both already, up to the epsilons.
    const near = (value: number): number => expect.closeTo(value, 5) as number;
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ row: 0, numTrajectories: 2, learningRate: 5e-6, staleness: null });
    expect(allSequences({ rows } as Plan).toSorted((a, b) => a.ids.length - b.ids.length)).toEqual([
      { ids: [10, 11, 12], mask: [0, 0, 1], old: [NaN, NaN, -0.5], adv: near(1), weight: near(2) },
      {
        ids: [10, 11, 13, 14, 15],
        mask: [0, 0, 1, 1, 1],
        old: [NaN, NaN, -0.5, -0.5, -0.5],
        adv: near(-1),
        weight: near(2 / 3),
      },
    ]);
    expect(counts).toEqual({
      groupsSubmitted: 1,
      groupsTrainable: 1,
      trajectories: 2,
      trajectoriesTrained: 2,
      dropped: {},
      inputTokens: 8,
      trainableTokens: 4,
      rewards: { reward_mean: 0.5, reward_std_dev: 0.5, reward_zero_share: 0.5 },
    });
    expect(trajectories).toEqual([
      { group: 0, index: 0, trainedTokens: 1, advantage: 0.5 / 0.500001, reason: null },
      { group: 0, index: 1, trainedTokens: 3, advantage: -0.5 / 0.500001, reason: null },
    ]);
  });

  it('takes more than one gradient step of sixty trajectories, as many as minibatches ask for', () => {
    const sixty = range(15, 0).map((at) => group(...range(4, 0).map((n) => answering(n % 2, [10 + at], [20 + n]))));
    const sizesOf = (config: RlConfigInput) => plan(sixty, config).rows.map(({ numTrajectories }) => numTrajectories);
    expect(sizesOf({})).toHaveLength(2);
    expect(Math.max(...sizesOf({}))).toBe(32);
    expect(sizesOf({ minibatch_size: 60 })).toEqual([60]);
    expect(sizesOf({ minibatch_size: 8 }).toSorted()).toEqual([4, 8, 8, 8, 8, 8, 8, 8]);
    expect(sizesOf({ minibatch_size: 60, packed_sequence_length: 16 }).length).toBeGreaterThan(1);
  });

  it('goes through its minibatches once for each epoch', () => {
    const groups = range(4, 0).map((at) => group(answering(1, [10 + at], [20]), answering(0, [10 + at], [21])));
    const config = { minibatch_size: 4, learning_rate: 1, lr_schedule: 'linear' } as const;
    const [once, thrice] = [plan(groups, config), plan(groups, { ...config, n_epochs: 3 })];
    expect(thrice.rows.map(({ row, repeats }) => [row, repeats])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, 0],
      [3, 1],
      [4, 0],
      [5, 1],
    ]);
    expect(thrice.rows[4]?.sequences).toEqual(once.rows[0]?.sequences);
    expect(thrice.rows.map(({ learningRate }) => learningRate * 6)).toEqual(
      [6, 5, 4, 3, 2, 1].map((n) => expect.closeTo(n)),
    );
    expect(thrice.counts.trainableTokens).toBe(3 * once.counts.trainableTokens);
    expect(thrice.counts.trajectoriesTrained).toBe(once.counts.trajectoriesTrained);
  });

  it('says how rewards are spread, over all trajectories and in each row', () => {
    const rewards = [0, 0, 4, 0, 0, 0];
    const { counts, rows } = plan([
      group(...rewards.slice(0, 3).map((reward, n) => answering(reward, [10], [20 + n]))),
      group(...rewards.slice(3).map((reward, n) => answering(reward, [11], [20 + n]))),
    ]);
    expect(counts.rewards).toEqual({
      reward_mean: expect.closeTo(4 / 6),
      reward_std_dev: expect.closeTo(Math.sqrt(16 / 6 - (4 / 6) ** 2)),
      reward_zero_share: 5 / 6,
    });
    // The second group is not trained.
    expect(rows[0]?.rewards?.reward_mean).toBeCloseTo(4 / 3);
    expect(plan([]).counts.rewards).toBeNull();
  });

  it('has rows in an order of the seed, and learning rates of the schedule', () => {
    const config = { packed_sequence_length: 16, learning_rate: 1, lr_schedule: 'linear', warmup_steps: 1 } as const;
    const five = range(5, 0).map((at) =>
      group(answering(1, range(8, at), range(7)), answering(0, range(8, at), range(7, 20))),
    );
    const [usual, seeded] = [plan(five, config), plan(five, { ...config, seed: 7 })];
    expect(usual.digest).toBe(plan(five, { ...config, seed: 3407 }).digest);
    expect(seeded.digest).not.toBe(usual.digest);
    const idsOf = ({ rows }: Plan) => rows.map(({ sequences }) => JSON.stringify(sequences.map(({ ids }) => ids)));
    expect(idsOf(seeded).toSorted()).toEqual(idsOf(usual).toSorted());
    const steps = usual.rows.length;
    expect(usual.rows.map((row) => row.learningRate)).toEqual(
      Array.from({ length: steps }, (_, at) => (at === 0 ? 0.5 : 1 - (at - 1) / (steps - 1))),
    );
  });

  it('takes a missing reward as 0', () => {
    expect(
      plan([group(answering(0.5, [10], [11]), { ...answering(9, [10], [12]), reward: undefined })]).trajectories,
    ).toMatchObject([{ advantage: 0.25 / 0.250001 }, { advantage: -0.25 / 0.250001 }]);
  });

  it.each([
    ['no groups', []],
    ['an empty group', [{}]],
    ['a single trajectory', [group(answering(5, [10], [11]))]],
    ['three rewards of 0.1', [group(...[11, 12, 13].map((id) => answering(0.1, [10], [id])))]],
    ['equal rewards without a token', [group({ reward: 1 }, { reward: 1 })]],
  ])('finds nothing to train in %s, and that is no error', (_, groups) => {
    const { rows, counts } = plan(groups);
    expect([rows, counts.groupsTrainable, counts.trajectoriesTrained]).toEqual([[], 0, 0]);
    expect(counts.dropped.zero_advantage ?? 0).toBe(counts.trajectories);
  });

  it('drops the trajectory whose reward is the mean', () => {
    const { counts, trajectories } = plan([
      group(...[0, 1, 2].map((reward) => answering(reward, [10], [11 + reward]))),
    ]);
    expect(counts).toMatchObject({ trajectories: 3, trajectoriesTrained: 2, dropped: { zero_advantage: 1 } });
    expect(trajectories[1]).toEqual({ group: 0, index: 1, trainedTokens: 0, advantage: 0, reason: 'zero_advantage' });
  });

  it('plays failures down, and leaves them out at a balance of 1', () => {
    const [good, bad] = allSequences(plan([TWO], { advantage_balance: 0.5 })).toSorted(
      (a, b) => a.ids.length - b.ids.length,
    );
    expect((bad?.adv ?? 0) / (good?.adv ?? 0)).toBeCloseTo(-0.5, 12);
    expect(plan([TWO], { advantage_balance: 1 }).counts.dropped).toEqual({ zero_advantage: 1 });
  });

  it.each([{ normalize_advantages: false }, { scale_rewards: false }])(
    'does not scale by the deviation with %j',
    (config) => {
      expect(plan([TWO], config).trajectories.map(({ advantage }) => advantage)).toEqual([0.5, -0.5]);
    },
  );

  it('is the same whatever order things were sent in', () => {
    const someIds = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 });
    const trajectory = fc
      .tuple(fc.integer({ min: 0, max: 2 }), someIds, fc.array(someIds, { minLength: 1, maxLength: 3 }))
      .map(([reward, prompt, answers]) => ({
        reward,
        messages_and_choices: answers.map((ids) => aChoice(prompt, ids)),
      }));
    const groups = fc.array(fc.array(trajectory, { maxLength: 5 }), { maxLength: 5 });
    const permuted = <T>(items: T[]) => fc.shuffledSubarray(items, { minLength: items.length });
    const pairs = groups.chain((sent) =>
      fc.tuple(
        fc.constant(sent),
        fc.tuple(...sent.map(permuted)).chain((shuffled) => permuted(shuffled)),
      ),
    );
    const digest = (sent: object[][]) =>
      plan(
        sent.map((members) => group(...members)),
        { packed_sequence_length: 16 },
      ).digest;
    fc.assert(
      fc.property(pairs, ([sent, other]) => expect(digest(other)).toBe(digest(sent))),
      { numRuns: 300 },
    );
  });

  it('distinguishes groups that differ in untrained tokens', () => {
    const far = (reward: number) => group(answering(0, [10], [11]), answering(1, [10], [12]), { reward });
    const [a, b] = [far(5), far(50)];
    const config = { scale_rewards: false };
    expect(plan([a, b], config).digest).toBe(plan([b, a], config).digest);
  });

  it('gives other data, another parent step or another configuration another plan', () => {
    const many = Array.from({ length: 20 }, (_, at) => group(answering(0, [at], [1]), answering(1, [at], [2])));
    const digests = [
      plan([TWO]),
      plan([group(answering(1, [10, 11], [12]), answering(0, [10, 11], [13, 14, 16]))]),
      plan([TWO], { learning_rate: 1 }),
      plan(many, { packed_sequence_length: 16 }),
      plan(many, { packed_sequence_length: 16 }, { parentStep: 1 }),
    ].map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('multiplies the learning rate by a power of the trajectories in the row', () => {
    const config = { learning_rate: 0.25, num_trajectories_learning_rate_multiplier_power: -1 };
    expect(plan([TWO], config).rows.map(({ learningRate }) => learningRate)).toEqual([0.125]);
  });

  it('counts a trajectory of several sequences once in a row', () => {
    const split = { reward: 1, messages_and_choices: [aChoice([10], [11]), aChoice([20], [21])] };
    expect(plan([group(split, answering(0, [10], [12]))]).rows).toMatchObject([
      { numTrajectories: 2, sequences: [{}, {}, {}] },
    ]);
  });

  it('says how stale the samples of a row are', () => {
    const [good, bad] = TWO.trajectories ?? [];
    const sampled = group(
      { ...good, initial_policy_version: 3 },
      { ...bad, initial_policy_version: 4 },
      { reward: 0.1 },
    );
    expect(plan([sampled], {}, { parentStep: 5 }).rows.map(({ staleness }) => staleness)).toEqual([1.5]);
  });

  describe('row length', () => {
    const long = group(answering(0, [1], range(3000)), answering(1, [1], [2]));

    it('is the longest sequence rounded up to 2048', () => {
      // 3001 and 2 tokens share a row of 4096 with one more of 1000, not with two.
      const more = (id: number) => group(answering(0, [id], range(499)), answering(1, [id], range(499, 20)));
      expect(plan([long, more(5)]).rows).toHaveLength(1);
      expect(plan([long, more(5), more(6)]).rows).toHaveLength(2);
    });

    it('is at most 32768, and a longer sequence is cut', () => {
      const longest = group(answering(0, [1], range(40_000)), answering(1, [1], [2]));
      const sequences = allSequences(plan([longest], {}, { contextLength: 100_000 }));
      expect(sequences.map(({ ids }) => ids.length).sort((a, b) => b - a)).toEqual([32_768, 2]);
    });

    it.each([
      ['the configured length', { packed_sequence_length: 16 }, {}],
      ['the context of the engine', {}, { contextLength: 16 }],
    ])('cuts on the right to %s, weights by the uncut trajectory', (_, config, context) => {
      const sequences = allSequences(plan([long], config, context)).toSorted((a, b) => a.ids.length - b.ids.length);
      const [short, cut] = sequences;
      expect(cut?.ids).toEqual([1, ...range(15)]);
      expect(cut && trainedTokensOf(cut)).toBe(15);
      expect((short?.weight ?? 0) / (cut?.weight ?? 0)).toBeCloseTo(3000, 1);
    });

    it('drops what has no trained token left', () => {
      const { counts } = plan([group(answering(0, range(16), [1]), answering(1, [1], [2]))], {
        packed_sequence_length: 16,
      });
      expect(counts).toMatchObject({ trajectoriesTrained: 1, dropped: { too_long: 1 }, trainableTokens: 1 });
    });
  });

  describe('refuses', () => {
    const silent = (reward: number) => ({ reward, messages_and_choices: [{ ...aChoice([1], [2]), logprobs: null }] });
    const errorOf = (groups: TrajectoryGroupInput[]): unknown => {
      try {
        return plan(groups);
      } catch (error) {
        return error;
      }
    };

    it('different rewards without anything to train, and counts why', () => {
      expect(errorOf([group(silent(0), silent(1), { reward: 2 })])).toMatchObject({
        code: 'data.no_trainable_tokens',
        message:
          'No trajectory with an advantage has a token to train: 1 have Choices without logprobs; 1 have no Choice, only messages.',
        hint: expect.stringContaining('logprobs'),
        loc: ['trajectory_groups', 0, 'trajectories', 0],
      });
    });

    it('not a job of which a part can be trained', () => {
      expect(plan([group(silent(0), silent(1)), TWO]).counts).toMatchObject({
        groupsSubmitted: 2,
        groupsTrainable: 1,
        dropped: { no_logprobs: 2 },
      });
    });

    it('rewards that overflow, with their group', () => {
      expect(errorOf([TWO, group({ reward: 1.7e308 }, { reward: 1.6e308 })])).toMatchObject({
        code: 'data.reward_overflow',
        loc: ['trajectory_groups', 1],
      });
    });

    it('damaged token data even where it would not be trained', () => {
      expect(errorOf([group(answering(1, [1], [VOCABULARY]))])).toMatchObject({ code: 'data.token_out_of_vocab' });
    });

    it('missing ids only where they would be trained', () => {
      const { token_ids: _, ...choice } = aChoice([1], [2]);
      const missing = (reward: number) => ({ reward, messages_and_choices: [user('?'), choice] });
      expect(errorOf([group(missing(1))])).toMatchObject({ rows: [] });
      expect(errorOf([group(missing(1), missing(2))])).toMatchObject({
        code: 'data.token_ids_missing',
        locs: [0, 1].map((index) => ['trajectory_groups', 0, 'trajectories', index, 'messages_and_choices', 1]),
      });
    });

    it('with the first 20 paths of the kind found first', () => {
      const bad = Array.from({ length: 25 }, (_, at) => ({
        reward: at,
        messages_and_choices: [aChoice([1], [2], [])],
      }));
      const other = { reward: 99, messages_and_choices: [aChoice([1], [2], [1])] };
      const mismatch = { reward: 99, messages_and_choices: [aChoice([1], [2], [-1, -1])] };
      const error = errorOf([group(other, ...bad, ...Array.from({ length: 25 }, () => mismatch))]);
      expect(error).toMatchObject({ code: 'data.logprob_invalid', locs: { length: 1 } });
      expect(errorOf([group(...Array.from({ length: 25 }, () => mismatch))])).toMatchObject({
        code: 'data.logprob_length_mismatch',
        locs: { length: 20 },
        message: expect.stringContaining('trajectory_groups[0].trajectories[0].messages_and_choices[0] (and 24 more)'),
      });
    });
  });
});
