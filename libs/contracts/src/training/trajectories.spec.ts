import { parseJson } from '../json/index.js';
import { check } from '../validation/check.js';
import { IsTrajectoryGroups, type TrajectoryGroupDto } from './trajectories.dto.js';

class BodyDto {
  @IsTrajectoryGroups() trajectory_groups!: TrajectoryGroupDto[];
}

const issuesOf = (groups: unknown) => check(BodyDto, { trajectory_groups: groups }, ['body']).issues;
const ofTrajectory = (trajectory: unknown) =>
  issuesOf([{}, { trajectories: [{}, trajectory] }]).map(({ loc, type }) => [loc.slice(5), type]);
const list = (length: number, item: unknown) => Array.from({ length }, () => item);

describe('trajectory groups', () => {
  it.each([
    ['none', []],
    ['an empty group', [{}]],
    ['an empty trajectory', [{ trajectories: [{}] }]],
    [
      'what ART sends beside what it must',
      [{ trajectories: [], exceptions: [{ type: 'E' }], metadata: null, metrics: { ok: true }, logs: ['x'] }],
    ],
    [
      'a trajectory with everything',
      [
        {
          trajectories: [
            {
              messages_and_choices: [
                { role: 'user', content: 'a\u0000\ud800' },
                { finish_reason: null, message: {}, logprobs: { content: [] } },
              ],
              tools: [{ type: 'function', function: { name: 'f' } }],
              additional_histories: [{ messages_and_choices: [], tools: null }, {}],
              reward: -0.5,
              initial_policy_version: 3,
              final_policy_version: null,
              metrics: { good: true, words: 1.5 },
              metadata: { a: { b: null } },
              logs: ['x', { y: 1 }],
              start_time: '2026-01-15T10:00:00.123456',
              exchanges: [],
              auto_metrics: {},
            },
          ],
        },
      ],
    ],
  ])('may be %s', (_, groups) => {
    expect(issuesOf(groups)).toEqual([]);
  });

  it.each([
    [{ reward: '1' }, [['reward'], 'float_type']],
    [{ reward: true }, [['reward'], 'float_type']],
    [{ reward: null }, [['reward'], 'float_type']],
    [{ reward: Infinity }, [['reward'], 'finite_number']],
    [{ messages_and_choices: null }, [['messages_and_choices'], 'list_type']],
    [{ messages_and_choices: [{ role: 'user' }, 'x'] }, [['messages_and_choices', 1], 'dict_type']],
    [{ messages_and_choices: [{ content: 'x' }] }, [['messages_and_choices', 0, 'role'], 'missing']],
    [{ messages_and_choices: [{ role: 1 }] }, [['messages_and_choices', 0, 'role'], 'string_type']],
    [
      { messages_and_choices: [{ message: 'x', finish_reason: 'stop' }] },
      [['messages_and_choices', 0, 'role'], 'missing'],
    ],
    [{ messages_and_choices: [{ message: {} }] }, [['messages_and_choices', 0, 'role'], 'missing']],
    [{ tools: {} }, [['tools'], 'list_type']],
    [{ tools: ['f'] }, [['tools', 0], 'dict_type']],
    [{ additional_histories: null }, [['additional_histories'], 'list_type']],
    [
      { additional_histories: [{}, { messages_and_choices: [{}] }] },
      [['additional_histories', 1, 'messages_and_choices', 0, 'role'], 'missing'],
    ],
    [{ initial_policy_version: 1.5 }, [['initial_policy_version'], 'int_type']],
    [{ final_policy_version: 2 ** 31 }, [['final_policy_version'], 'less_than_equal']],
    [{ metrics: { ok: null } }, [['metrics', 'ok'], 'float_type']],
    [{ metrics: { ok: 'yes' } }, [['metrics', 'ok'], 'float_type']],
    [{ metrics: [] }, [['metrics'], 'dict_type']],
    [{ metadata: [] }, [['metadata'], 'dict_type']],
    [{ logs: {} }, [['logs'], 'list_type']],
    [{ start_time: 'yesterday' }, [['start_time'], 'value_error']],
    [{ start_time: 5 }, [['start_time'], 'string_type']],
  ])('point at what is wrong: %j', (trajectory, expected) => {
    expect(ofTrajectory(trajectory)).toEqual([expected]);
  });

  it('read a number that only its text holds', () => {
    const groups = parseJson('[{"trajectories":[{"reward":1.0,"metrics":{"a":1e2,"b":true}}]}]');
    expect(check(BodyDto, { trajectory_groups: groups }).value?.trajectory_groups[0]?.trajectories).toEqual([
      { reward: 1, metrics: { a: 100, b: true } },
    ]);
  });

  it.each([
    ['groups', list(4_097, {}), ['body', 'trajectory_groups']],
    ['trajectories', list(2, { trajectories: list(8_193, {}) }), ['body', 'trajectory_groups']],
    [
      'items of a history',
      [{ trajectories: [{ messages_and_choices: list(10_001, { role: 'user' }) }] }],
      ['body', 'trajectory_groups', 0, 'trajectories', 0, 'messages_and_choices'],
    ],
    [
      'additional histories',
      [{ trajectories: [{ additional_histories: list(257, {}) }] }],
      ['body', 'trajectory_groups', 0, 'trajectories', 0, 'additional_histories'],
    ],
  ])('have at most so many %s', (_, groups, loc) => {
    expect(issuesOf(groups)).toMatchObject([{ loc, type: 'too_many' }]);
  });

  it('list at most 100 errors', () => {
    expect(issuesOf([{ trajectories: list(5_000, { reward: null }) }])).toHaveLength(100);
    expect(issuesOf([{ trajectories: [{ messages_and_choices: list(5_000, 1) }] }])).toHaveLength(100);
  });
});
