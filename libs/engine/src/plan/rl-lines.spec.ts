import { readGroupLines } from './rl-lines.js';

const CHOICE = { message: { role: 'assistant', content: 'cat' }, finish_reason: 'stop' };
const GROUP = {
  trajectories: [{ messages_and_choices: [{ role: 'user', content: 'a' }, CHOICE], reward: 1 }, { reward: 0 }],
};
const text = (...lines: unknown[]) => lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
const wrong = async (trajectory: unknown) =>
  readGroupLines(text({ trajectories: [trajectory] })).then(
    () => 'right',
    ({ message }: Error) => message,
  );

describe('readGroupLines', () => {
  it('reads a group a line, and passes blank lines over', async () => {
    const group = JSON.stringify(GROUP);
    expect(await readGroupLines([`\ufeff${group}`, '', '{}', `${group} `])).toEqual([GROUP, {}, GROUP]);
  });

  it('names every bad line, counted as editors do', async () => {
    const lines = text(GROUP, '', '[]', '{', { trajectories: 5 });
    await expect(readGroupLines([...lines, null])).rejects.toMatchObject({
      code: 'data.bad_line',
      locs: [3, 4, 5, 6].map((number) => ['line', number]),
    });
  });

  it.each([
    [5, 'trajectory 0: not an object'],
    [{ reward: '1' }, 'reward is not a number'],
    [{ reward: null }, 'reward is not a number'],
    [{ initial_policy_version: 0.5 }, 'initial_policy_version is not an integer'],
    [{ messages_and_choices: {} }, 'messages_and_choices is not a short list'],
    [{ messages_and_choices: [{ content: 'a' }] }, 'an item is neither a message with a role nor a Choice'],
    [{ messages_and_choices: [null] }, 'an item is neither a message with a role nor a Choice'],
    [{ tools: [1] }, 'tools is not a list of objects'],
    [{ additional_histories: {} }, 'additional_histories is not a short list'],
    [{ additional_histories: [{ messages_and_choices: 1 }] }, 'messages_and_choices is not a short list'],
  ])('says what is wrong with %j', async (trajectory, message) => {
    expect(await wrong(trajectory)).toContain(message);
  });

  it('takes no number that is none, nor what is nested without end', async () => {
    await expect(readGroupLines(['{"trajectories":[{"reward":1e999}]}'])).rejects.toThrow('reward is not a number');
    const deep = `{"trajectories":[{"metadata":${'['.repeat(80)}${']'.repeat(80)}}]}`;
    await expect(readGroupLines([deep])).rejects.toThrow('nested deeper than 64 levels');
  });

  it('takes as many groups and trajectories as the body of a job', async () => {
    const large = JSON.stringify({ trajectories: Array.from({ length: 8_193 }, () => ({})) });
    await expect(readGroupLines([large, large])).rejects.toMatchObject({ code: 'data.too_large' });
    await expect(readGroupLines(Array.from({ length: 4_097 }, () => '{}'))).rejects.toMatchObject({
      code: 'data.too_large',
    });
    expect(await readGroupLines(Array.from({ length: 4_096 }, () => '{}'))).toHaveLength(4_096);
  });
});
