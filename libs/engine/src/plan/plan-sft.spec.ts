import type { Plan } from './plan.js';
import { planSft } from './plan-sft.js';
import {
  alternating,
  assistant,
  FORGETFUL,
  ID,
  idsOf,
  LETTERS,
  user,
  withCalls,
  withoutEmpty,
  withSystem,
} from './planning.fixture.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import { resolveSftConfig, type SftConfigInput } from './sft-config.js';

const line = (...messages: object[]) => JSON.stringify({ messages });
const pair = (question: string, answer: string) => line(user(question), assistant(answer));
const plan = (lines: (string | null)[], config: SftConfigInput = {}, context: object = {}): Promise<Plan> =>
  planSft(lines, resolveSftConfig(config), { tokenizer: LETTERS, contextLength: 100, ...context });
const trainedText = ({ rows }: Plan) =>
  rows.map(({ sequences }) => sequences.map(({ ids, mask }) => ids.filter((_, at) => mask[at])));

/** Of the function that {@link call} calls. */
const TOOL = { type: 'function', function: { name: 'f' } };

describe('planSft', () => {
  it('trains the answer and its end marker', async () => {
    const { rows, counts } = await plan([pair('hi', 'yo')]);
    const ids = [ID.user, ...idsOf('hi'), ID.end, ID.assistant, ...idsOf('yo'), ID.end];
    expect(rows).toEqual([
      {
        row: 0,
        sequences: [{ ids, mask: [0, 0, 0, 0, 0, 1, 1, 1], old: null, adv: null, weight: 1 }],
        numTrajectories: 1,
        learningRate: 5e-5,
        staleness: null,
      },
    ]);
    expect(counts).toEqual({
      groupsSubmitted: 0,
      groupsTrainable: 0,
      trajectories: 1,
      trajectoriesTrained: 1,
      dropped: {},
      inputTokens: 8,
      trainableTokens: 3,
      rewards: null,
    });
  });

  it.each([
    ['all', [...idsOf('b'), ID.end, ...idsOf('d'), ID.end]],
    ['last', [...idsOf('d'), ID.end]],
  ] as const)('trains %s assistant turns', async (assistant_turns, expected) => {
    const conversation = line(user('a'), assistant('b'), user('c'), assistant('d'));
    expect(trainedText(await plan([conversation], { assistant_turns }))).toEqual([[expected]]);
  });

  it('reads a developer as the system, and tools', async () => {
    const messages = [{ role: 'developer', content: 's' }, assistant('b')];
    const { rows } = await plan([JSON.stringify({ messages, tools: [{ type: 'function', function: { name: 'f' } }] })]);
    const ids = [ID.tools, 1, ID.system, ...idsOf('s'), ID.end, ID.assistant, ...idsOf('b'), ID.end];
    expect(rows[0]?.sequences[0]?.ids).toEqual(ids);
  });

  it('makes batches in file order, the last one partial', async () => {
    const { rows } = await plan(
      ['a', 'b', 'c', 'd', 'e'].map((answer) => pair('?', answer)),
      { batch_size: 2 },
    );
    const trained = (answer: string) => [...idsOf(answer), ID.end];
    expect(trainedText({ rows } as Plan)).toEqual([
      [trained('a'), trained('b')],
      [trained('c'), trained('d')],
      [trained('e')],
    ]);
    expect(rows.map(({ row }) => row)).toEqual([0, 1, 2]);
  });

  it('goes through the batches once for each epoch, and writes their tokens down once', async () => {
    const lines = ['a', 'b', 'c'].map((answer) => pair('?', answer));
    const [once, thrice] = [await plan(lines), await plan(lines, { n_epochs: 3 })];
    expect(thrice.rows.map(({ row, repeats }) => [row, repeats])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, 0],
      [3, 1],
      [4, 0],
      [5, 1],
    ]);
    expect(thrice.rows.slice(0, 2)).toEqual(once.rows);
    expect(trainedText(thrice).slice(4)).toEqual(trainedText(once));
    expect(thrice.counts).toEqual({
      ...once.counts,
      inputTokens: once.counts.inputTokens * 3,
      trainableTokens: once.counts.trainableTokens * 3,
    });
    expect((await plan(lines, { n_epochs: 1 })).digest).toBe(once.digest);
  });

  it('has a learning rate for each step of all epochs', async () => {
    const lines = ['a', 'b', 'c'].map((answer) => pair('?', answer));
    const rates = async (config: SftConfigInput) => (await plan(lines, config)).rows.map((row) => row.learningRate);
    expect(await rates({ n_epochs: 2, learning_rate: 1, lr_schedule: 'linear' })).toEqual([1, 0.75, 0.5, 0.25]);
    expect(await rates({ n_epochs: 2, learning_rate: [4, 3, 2, 1] })).toEqual([4, 3, 2, 1]);
    await expect(rates({ n_epochs: 2, learning_rate: [2, 1] })).rejects.toMatchObject({
      code: 'config.learning_rate_list_length',
      message: 'The list of learning rates has 2 entries for 4 gradient steps.',
    });
  });

  it('refuses more than a million gradient steps before it makes them', async () => {
    const lines = Array.from({ length: 10_001 }, () => pair('?', 'a'));
    await expect(plan(lines, { batch_size: 1, n_epochs: 100 })).rejects.toMatchObject({
      code: 'config.too_many_steps',
      message: 'The job would have 1000100 gradient steps, more than 1000000.',
      locs: [['config', 'n_epochs']],
    });
  });

  it('drops over-long lines after the batches are made, and keeps an emptied batch', async () => {
    const long = pair('?', 'x'.repeat(100));
    const { rows, counts } = await plan([pair('?', 'a'), long, long, long, pair('?', 'b')], { batch_size: 2 });
    expect(rows.map(({ sequences, numTrajectories }) => [sequences.length, numTrajectories])).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
    ]);
    expect(counts).toMatchObject({ trajectories: 5, trajectoriesTrained: 2, dropped: { too_long: 3 } });
  });

  it('takes a line that fits exactly', async () => {
    expect((await plan([pair('hi', 'yo')], {}, { contextLength: 8 })).counts.dropped).toEqual({});
    const both = await plan([pair('hi', 'yo'), pair('h', 'y')], {}, { contextLength: 7 });
    expect(both.counts.dropped).toEqual({ too_long: 1 });
  });

  it('fails when every line is too long or has nothing to train, and says how many', async () => {
    const idle = line(user('a'), { ...assistant('b'), weight: 0 });
    await expect(plan([pair('hi', 'yo'), '', pair('ho', 'yo')], {}, { contextLength: 7 })).rejects.toMatchObject({
      code: 'data.no_trainable_tokens',
      message: 'No line has a token to train: 2 have more than 7 tokens, the context of the model.',
      hint: expect.stringContaining('Shorten'),
      locs: [
        ['line', 1],
        ['line', 3],
      ],
    });
    await expect(plan([idle, pair('?', 'x'.repeat(200))])).rejects.toMatchObject({
      message: expect.stringMatching(/1 have more than 100 tokens, .*; 1 have no assistant turn to train\.$/),
    });
    await expect(plan([idle])).rejects.toMatchObject({ hint: expect.stringContaining('weight') });
  });

  it('keeps messages of weight 0 as context', async () => {
    const weighed = (first: unknown, second: unknown) =>
      line(user('a'), { ...assistant('b'), weight: first }, user('c'), { ...assistant('d'), weight: second });
    const [b, d] = [[...idsOf('b'), ID.end], [...idsOf('d'), ID.end]]; // prettier-ignore
    expect(trainedText(await plan([weighed(0, 1)]))).toEqual([[d]]);
    expect(trainedText(await plan([weighed(1, 0)]))).toEqual([[b]]);
    expect(trainedText(await plan([weighed(null, undefined)]))).toEqual([[[...b, ...d]]]);
    const last = await plan([weighed(1, 0), weighed(0, 1)], { assistant_turns: 'last' });
    expect([trainedText(last), last.counts.dropped]).toEqual([[[d]], { no_tokens: 1 }]);
    const [sequence] = (await plan([weighed(0, 1)])).rows[0]!.sequences;
    expect(sequence!.ids).toEqual((await plan([weighed(1, 1)])).rows[0]!.sequences[0]!.ids);
  });

  it('renders no turn of a conversation that is too long', async () => {
    let rendered = 0;
    const counting = {
      ...LETTERS,
      encodeChat: (...given: Parameters<typeof LETTERS.encodeChat>) => (rendered++, LETTERS.encodeChat(...given)),
    };
    const turns = Array.from({ length: 500 }, () => [user('a'), assistant('b')]).flat();
    const { counts } = await plan([line(...turns), pair('a', 'b')], {}, { tokenizer: counting });
    expect([counts.dropped, rendered]).toEqual([{ too_long: 1 }, 3]);
  });

  it('skips blank lines, carriage returns and a byte order mark', async () => {
    const { counts } = await plan(['\ufeff' + pair('a', 'b') + '\r', '', '  \r', pair('c', 'd'), '']);
    expect(counts.trajectories).toBe(2);
  });

  it('reads streamed lines', async () => {
    async function* lines() {
      yield pair('a', 'b');
    }
    const streamed = await planSft(lines(), resolveSftConfig(null), { tokenizer: LETTERS, contextLength: 100 });
    expect(streamed.digest).toBe((await plan([pair('a', 'b')])).digest);
  });

  it('takes one learning rate for each batch', async () => {
    const lines = ['a', 'b', 'c'].map((answer) => pair('?', answer));
    const { rows } = await plan(lines, { batch_size: 2, learning_rate: [0.5, 0.25] });
    expect(rows.map(({ learningRate }) => learningRate)).toEqual([0.5, 0.25]);
    await expect(plan(lines, { batch_size: 2, learning_rate: [0.5] })).rejects.toMatchObject({
      code: 'config.learning_rate_list_length',
      message: 'The list of learning rates has 1 entries for 2 gradient steps.',
      loc: ['config', 'learning_rate'],
    });
  });

  it.each([[[]], [['', '  ']]])('refuses a file of %j', async (lines) => {
    await expect(plan(lines)).rejects.toMatchObject({ code: 'data.empty', loc: [] });
  });

  it('names the lines that are bad', async () => {
    await expect(plan([pair('a', 'b'), '', '{', pair('a', 'b'), '[]'])).rejects.toMatchObject({
      code: 'data.bad_line',
      message: 'A line of the training data is bad: not a JSON object at line 3 (and 1 more).',
      locs: [
        ['line', 3],
        ['line', 5],
      ],
    });
  });

  const call = (input: unknown) => ({ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: input } }] });

  it.each([
    [null, 'not valid UTF-8 at line 1'],
    ['null', 'not a JSON object'],
    [`{"messages":[],"x":${'['.repeat(64)}${']'.repeat(64)}}`, 'nested deeper than 64 levels'],
    [line(user('a'), { ...assistant('a'), weight: 0.5 }), 'message 1: weight is not 0 or 1'],
    [line(user('a'), { ...assistant('a'), weight: false }), 'message 1: weight is not 0 or 1'],
    ['{}', 'messages is not a list'],
    ['{"messages":[]}', 'messages is not a list with an entry'],
    [JSON.stringify({ messages: [assistant('a')], tools: {} }), 'tools is not a list'],
    [
      JSON.stringify({ messages: [assistant('a')], tools: [{ type: 'function', name: 'f' }] }),
      'tool 0: not {"type": "function", "function": {"name": …, "parameters": {…}}}',
    ],
    [
      JSON.stringify({ messages: [assistant('a')], tools: [{ tool: { json_schema: '{}' } }] }),
      'tool 0: not {"type": "function", "function": {"name": …, "parameters": {…}}}',
    ],
    [line({ role: 'critic', content: 'x' }, assistant('a')), 'message 0: role is not one of'],
    [line(user('a')), 'the last message is not from the assistant'],
    [line({ role: 'user' }, assistant('a')), 'message 0: content is missing'],
    [line({ role: 'assistant', content: 5 }), 'message 0: content is not text'],
    [line(call({ a: 1 })), 'message 0: tool_calls must be calls of a function'],
    [JSON.stringify({ messages: [7] }), 'message 0: not an object'],
  ])('refuses %s', async (bad, reason) => {
    await expect(plan([bad])).rejects.toMatchObject({
      code: 'data.bad_line',
      message: expect.stringContaining(reason),
    });
  });

  it('takes tool calls with arguments in a JSON string and no content', async () => {
    const tokenizer = withCalls(() => true);
    expect((await plan([line(user('a'), call('{"a":1}'))], {}, { tokenizer })).counts.trajectoriesTrained).toBe(1);
  });

  it('learns the calls of the notation before tool_calls, and their functions', async () => {
    const tokenizer = withCalls(() => true);
    const older = {
      functions: [{ name: 'f' }],
      messages: [
        user('a'),
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'r' },
        assistant('b'),
      ],
    };
    const id = 'call00001';
    const today = {
      tools: [{ type: 'function', function: { name: 'f' } }],
      messages: [
        user('a'),
        { role: 'assistant', content: null, tool_calls: [{ id, function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', name: 'f', content: 'r', tool_call_id: id },
        assistant('b'),
      ],
    };
    const [one, other] = [older, today].map((value) => plan([JSON.stringify(value)], {}, { tokenizer }));
    expect(trainedText((await one) as Plan)).toEqual([[[...idsOf('f({})'), ID.end, ...idsOf('b'), ID.end]]]);
    expect(((await one) as Plan).digest).toBe(((await other) as Plan).digest);
  });

  it.each([
    ['functions is not a list', { functions: 5 }],
    ['message 0: function_call must have a name', { messages: [{ role: 'assistant', function_call: { name: 'f' } }] }],
  ])('refuses the older notation: %s', async (reason, more) => {
    const bad = JSON.stringify({ messages: [user('a'), assistant('b')], ...more });
    await expect(plan([bad])).rejects.toMatchObject({ message: expect.stringContaining(reason) });
  });

  it('names lines whose tool calls the template writes only where there are tools', async () => {
    const context = { tokenizer: withCalls((tools) => tools !== undefined) };
    const calling = line(user('a'), call('{}'));
    await expect(plan([pair('a', 'b'), calling], {}, context)).rejects.toMatchObject({
      code: 'data.tool_calls_lost',
      message: 'The chat template leaves tool calls out: tool_calls in a line without tools at line 2.',
      hint: 'Add the functions that the conversation may call to the line, as tools.',
    });
    const withTools = JSON.stringify({ ...JSON.parse(calling), tools: [TOOL] });
    expect(trainedText(await plan([withTools], {}, context))).toEqual([[[...idsOf('f({})'), ID.end]]]);
    const context0 = line(user('a'), { ...call('{}'), weight: 0 }, user('c'), assistant('d'));
    expect((await plan([context0], {}, context)).counts.trainableTokens).toBe(2);
  });

  it('names lines whose tool calls the template never writes', async () => {
    const calling = JSON.stringify({ messages: [user('a'), call('{}')], tools: [TOOL] });
    await expect(plan([calling])).rejects.toMatchObject({
      code: 'data.tool_calls_lost',
      hint: expect.stringContaining('Write the call into content'),
    });
  });

  it('never teaches a turn that says and calls nothing', async () => {
    const silent = { role: 'assistant', content: null };
    const { counts, droppedLines } = await plan([
      line(user('a'), silent),
      line(user('a'), silent, user('b'), assistant('c')),
    ]);
    expect(counts.trainableTokens).toBe(2);
    expect(droppedLines).toEqual([{ number: 1, reason: 'no_tokens' }]);
  });

  it('lists the lines that are left out', async () => {
    const { droppedLines } = await plan(['', pair('?', 'x'.repeat(100)), pair('a', 'b')]);
    expect(droppedLines).toEqual([{ number: 2, reason: 'too_long' }]);
  });

  describe('with a conversation that the assistant begins', () => {
    const greeting = line(assistant('hi'), user('a'), assistant('b'));

    it.each<[string, PlanningTokenizer]>([
      ['takes no messages', LETTERS],
      ['refuses an empty list of messages', withoutEmpty()],
      ['writes a system message of its own', withSystem()],
    ])('trains all turns with a template that %s', async (_what, tokenizer) => {
      const trained = trainedText(await plan([greeting], {}, { tokenizer }));
      expect(trained).toEqual([[[...idsOf('hi'), ID.end, ...idsOf('b'), ID.end]]]);
    });

    it('leaves it out with a template that refuses it, and trains the others', async () => {
      const { counts, droppedLines } = await plan([greeting, pair('a', 'b')], {}, { tokenizer: alternating() });
      expect(droppedLines).toEqual([{ number: 1, reason: 'assistant_first' }]);
      expect(counts).toMatchObject({ trajectoriesTrained: 1, dropped: { assistant_first: 1 } });
      await expect(plan([greeting], {}, { tokenizer: alternating() })).rejects.toMatchObject({
        code: 'data.no_trainable_tokens',
        message: 'No line has a token to train: 1 begin with the assistant, which the chat template refuses.',
        hint: 'Begin the conversation with a message of the user.',
      });
    });
  });

  it('passes on why a template refuses a line', async () => {
    const refusing = {
      ...LETTERS,
      encodeChat: () => {
        throw new Error('no tools here');
      },
    };
    await expect(plan([pair('a', 'b')], {}, { tokenizer: refusing })).rejects.toMatchObject({
      code: 'data.bad_line',
      message: expect.stringContaining('the chat template refuses it: no tools here at line 1'),
    });
  });

  it('refuses a template that rewrites earlier answers, unless only the last is trained', async () => {
    const conversation = line(user('a'), assistant('b'), user('c'), assistant('d'));
    const context = { tokenizer: FORGETFUL };
    await expect(plan([conversation], {}, context)).rejects.toMatchObject({
      code: 'data.template_not_prefix',
      loc: ['line', 1],
    });
    expect((await plan([conversation], { assistant_turns: 'last' }, context)).counts.trainableTokens).toBe(2);
  });
});
