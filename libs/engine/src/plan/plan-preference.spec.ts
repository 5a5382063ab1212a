import type { PlannedSequence } from './plan.js';
import { planPreference } from './plan-preference.js';
import { assistant, idsOf, LETTERS, user } from './planning.fixture.js';
import { type PreferenceConfigInput, resolvePreferenceConfig } from './preference-config.js';

const CONTEXT = 40;
const plan = (
  lines: readonly unknown[],
  config: PreferenceConfigInput = {},
  validation: readonly unknown[] | null = null,
) =>
  planPreference(
    lines.map(textOf),
    resolvePreferenceConfig({ n_epochs: 1, ...config }),
    { tokenizer: LETTERS, contextLength: CONTEXT },
    validation && validation.map(textOf),
  );
const textOf = (line: unknown) => (typeof line === 'string' ? line : JSON.stringify(line));
const pair = (chosen: unknown, rejected: unknown, more: object = {}) => ({ prompt: 'q', chosen, rejected, ...more });
const thumb = (completion: unknown, label: unknown, more: object = {}) => ({ prompt: 'q', completion, label, ...more });
/** The text of the trained tokens; `#` ends a turn. */
const trained = ({ ids, mask }: PlannedSequence) =>
  ids.flatMap((id, at) => (mask[at] ? [id === 5 ? '#' : String.fromCharCode(id)] : [])).join('');
const told = ({ sequences }: { sequences: readonly PlannedSequence[] }) =>
  sequences.map((one) => `${one.role} ${trained(one)} ${one.weight}`);

describe('the plan of a job that learns from preferences', () => {
  it('trains the two answers of a pair in one row, the chosen one first', async () => {
    const { rows, counts, validation } = await plan([pair('yes', 'no', { weight: 0.5 })]);
    expect(rows.map(told)).toEqual([['chosen yes# 0.5', 'rejected no# 0.5']]);
    expect(rows[0]?.sequences[0]?.ids).toEqual([2, ...idsOf('q'), 5, 3, ...idsOf('yes'), 5]);
    expect(counts).toMatchObject({ trajectories: 1, trajectoriesTrained: 1, trainableTokens: 7, dropped: {} });
    expect(validation).toEqual([]);
  });

  it.each([
    [
      'messages',
      { messages: [user('a'), assistant('b'), user('q')], chosen: assistant('yes'), rejected: [assistant('no')] },
    ],
    [
      "OpenAI's fields",
      {
        input: { messages: [user('a'), assistant('b'), user('q')] },
        preferred_output: [assistant('yes')],
        non_preferred_output: [assistant('no')],
      },
    ],
    [
      'whole conversations without a prompt',
      {
        chosen: [user('a'), assistant('b'), user('q'), assistant('yes')],
        rejected: [user('a'), assistant('b'), user('q'), assistant('no')],
      },
    ],
    [
      'a prompt that the answers repeat, beside other messages',
      {
        prompt: 'q',
        messages: [user('q'), assistant('yes')],
        chosen: [user('q'), assistant('yes')],
        rejected: [assistant('no')],
      },
    ],
  ])('reads %s, and trains no answer of the prompt', async (_name, line) => {
    const { rows } = await plan([line]);
    expect(rows.map(told)).toEqual([['chosen yes# 1', 'rejected no# 1']]);
  });

  it('shuffles lines by the seed, alike each time, and repeats their rows in later epochs', async () => {
    const lines = Array.from('abcdefgh', (letter) => pair(letter, 'z'));
    const [one, same, other] = [
      await plan(lines, { batch_size: 3, n_epochs: 2 }),
      await plan(lines, { batch_size: 3, n_epochs: 2 }),
      await plan(lines, { batch_size: 3, n_epochs: 2, seed: 4 }),
    ];
    expect(one.digest).toBe(same.digest);
    expect(one.digest).not.toBe(other.digest);
    // Eight lines in batches of at most three: of sizes as equal as can be.
    expect(one.rows.map(({ repeats, numTrajectories }) => [repeats, numTrajectories])).toEqual([
      [undefined, 3],
      [undefined, 3],
      [undefined, 2],
      [0, 3],
      [1, 3],
      [2, 2],
    ]);
    expect(
      one.rows
        .slice(0, 3)
        .flatMap(told)
        .filter((text) => text.startsWith('chosen'))
        .sort(),
    ).toEqual(Array.from('abcdefgh', (letter) => `chosen ${letter}# 1`));
  });

  it('matches each prompt of KTO with the answer of the line before it, to be scored alone', async () => {
    const { rows, counts } = await plan(
      [thumb('yes', true), thumb('no', false, { prompt: undefined, messages: [user('other')] })],
      { method: 'kto' },
    );
    const [row] = rows;
    const texts = new Map(row?.sequences.map((one) => [`${one.role} ${one.ids.length}`, trained(one)]));
    expect([...texts].sort()).toEqual([
      ['desirable 8', 'yes#'],
      ['mismatched 12', 'yes#'],
      ['mismatched 7', 'no#'],
      ['undesirable 11', 'no#'],
    ]);
    expect(counts.trainableTokens).toBe(7);
  });

  it('lets the rarer answers of KTO weigh as much in all, unless the settings say otherwise', async () => {
    const lines = [thumb('a', true), thumb('b', false), thumb('c', false), thumb('d', false, { weight: 2 })];
    const weightsOf = async (config: PreferenceConfigInput) =>
      (await plan(lines, { method: 'kto', ...config })).rows
        .flatMap(told)
        .filter((text) => !text.startsWith('mismatched'))
        .sort();
    expect(await weightsOf({})).toEqual(['desirable a# 4', 'undesirable b# 1', 'undesirable c# 1', 'undesirable d# 2']);
    expect(await weightsOf({ desirable_weight: 1.5, undesirable_weight: 3 })).toEqual([
      'desirable a# 1.5',
      'undesirable b# 3',
      'undesirable c# 3',
      'undesirable d# 6',
    ]);
  });

  it('leaves out lines that cannot be trained, by reason', async () => {
    const { counts, droppedLines, rows } = await plan([
      pair('yes', 'no'),
      pair('same', 'same'),
      pair('x'.repeat(CONTEXT), 'no'),
      pair('', ''),
    ]);
    expect(counts.dropped).toEqual({ equal_answers: 2, too_long: 1 });
    expect(droppedLines).toEqual([
      { number: 2, reason: 'equal_answers' },
      { number: 3, reason: 'too_long' },
      { number: 4, reason: 'equal_answers' },
    ]);
    expect(rows).toHaveLength(1);
    await expect(plan([pair('same', 'same')])).rejects.toMatchObject({ code: 'data.no_trainable_tokens' });
    await expect(plan([])).rejects.toMatchObject({ code: 'data.empty' });
  });

  it('holds lines out, or takes those of a file of their own', async () => {
    const lines = Array.from('abcdefgh', (letter) => pair(letter, 'z', { prompt: letter }));
    const { validation, counts } = await plan(lines, { validation_fraction: 0.25 });
    expect(validation.map(({ role }) => role)).toEqual(['chosen', 'rejected', 'chosen', 'rejected']);
    expect(counts.dropped).toEqual({ validation: 2 });
    const apart = await plan(lines, { validation_data_url: 'data:,' }, [pair('v', 'w')]);
    expect(apart.validation.map(trained)).toEqual(['v#', 'w#']);
    expect(apart.counts.trajectoriesTrained).toBe(8);
  });

  it('leaves no answer of KTO to a step of its own', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => thumb(String(at), at % 2 === 0));
    const { rows } = await plan(lines, { method: 'kto' });
    expect(rows.map(({ numTrajectories }) => numTrajectories)).toEqual([5, 4]);
  });

  it('holds all lines of a prompt out together', async () => {
    const lines = Array.from('abcd', (prompt) => ['1', '2', '3'].map((chosen) => pair(chosen, '0', { prompt }))).flat();
    const { validation, rows } = await plan(lines, { validation_fraction: 0.25 });
    const asked = (sequences: readonly PlannedSequence[]) => new Set(sequences.map(({ ids }) => ids[1]));
    const held = asked(validation);
    expect(held.size).toBe(1);
    expect([...asked(rows.flatMap(({ sequences }) => sequences))].filter((one) => held.has(one))).toEqual([]);
  });

  it.each([
    ['not JSON', '{', 'not a JSON object'],
    ['no prompt', { chosen: 'a', rejected: 'b' }, 'neither messages nor prompt says what is answered'],
    [
      'a prompt that is an answer',
      { messages: [user('q'), assistant('a')], chosen: 'a', rejected: 'b' },
      'the prompt ends with an answer',
    ],
    ['an answer too few', { prompt: 'q', chosen: 'a' }, 'rejected is missing'],
    ['an answer of another type', pair(3, 'b'), 'chosen is not an answer'],
    ['an answer of the user', pair(user('a'), 'b'), 'chosen does not begin with an answer'],
    [
      'an unknown role',
      pair({ role: 'robot', content: 'a' }, 'b'),
      'chosen: message 1: role is not one of system, user, assistant, tool',
    ],
    ['a weight of 0', pair('a', 'b', { weight: 0 }), 'weight is not a number from 0.001 to 1000'],
    ['a weight that is text', pair('a', 'b', { weight: '1' }), 'weight is not a number from 0.001 to 1000'],
    [
      'a weight that is not finite',
      '{"prompt":"q","chosen":"a","rejected":"b","weight":1e999}',
      'weight is not a number from 0.001 to 1000',
    ],
  ])('refuses a line with %s', async (_name, line, wrong) => {
    await expect(plan([pair('yes', 'no'), line])).rejects.toMatchObject({
      code: 'data.bad_line',
      message: expect.stringContaining(wrong),
      locs: [['line', 2]],
    });
  });

  it('refuses a label that is text', async () => {
    await expect(plan([thumb('a', 'true')], { method: 'kto' })).rejects.toMatchObject({
      code: 'data.bad_line',
      message: expect.stringContaining('label is not true or false'),
    });
  });
});
