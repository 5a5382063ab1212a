import { joined, ofWhole } from '../../targets/embedded/embedded.fixture.js';
import {
  CAT,
  type ContractApp,
  LISTED_DEFAULTS,
  said,
  startContractApp,
  textOf,
  WITHOUT_DEFAULT,
} from './contract.fixture.js';

const TOOLS = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];

describe('absent fields', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  it('give text without ids and usage frames for a minimal request', async () => {
    const body = await gateway.answer({ temperature: 0, logprobs: true });
    expect(Object.keys(body)).toEqual(['id', 'object', 'created', 'model', 'system_fingerprint', 'choices', 'usage']);
    expect(Object.keys(body.choices[0]!)).toEqual(['index', 'message', 'logprobs', 'finish_reason']);
    expect(body.choices[0]!.logprobs!.content.map(({ token }) => token)).toEqual(['c', 'at', '<|end|>']);
    const chunks = await gateway.chunks({ temperature: 0, logprobs: true });
    expect(chunks.filter((chunk) => 'usage' in chunk || 'prompt_token_ids' in chunk)).toEqual([]);
    expect(joined(chunks)).toEqual(ofWhole(body.choices[0]!));
  });

  it('accepts every listed default, and returns token ids', async () => {
    for (const stream of [false, true]) {
      const { status, text } = await gateway.ask({ ...LISTED_DEFAULTS, stream, tools: TOOLS, logprobs: true });
      expect(status).toBe(200);
      expect(text).toContain('"token":"token_id:');
      expect(text).toContain('"token_ids":[');
      expect(text).toContain('"prompt_token_ids":[');
      expect(text).not.toContain('tool_calls');
    }
    expect((await gateway.ask({ ...LISTED_DEFAULTS, model: 'ok' })).status).toBe(200);
  });

  it('mean the same as null, for every optional field', async () => {
    const optional = [...Object.keys(LISTED_DEFAULTS), ...WITHOUT_DEFAULT].filter((name) => name !== 'temperature');
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));
    const [plain, nulled] = [
      await gateway.answer({ temperature: 0 }),
      await gateway.answer({ temperature: 0, ...nulls }),
    ];
    expect({ ...nulled, id: plain.id, created: plain.created }).toEqual(plain);
    for (const name of [...optional, 'temperature']) {
      expect({ name, status: (await gateway.ask({ max_tokens: 1, [name]: null })).status }).toEqual({
        name,
        status: 200,
      });
    }
  });

  it('mean the same as null inside messages and objects', async () => {
    const user = { role: 'user', content: 'repeat: cat', name: null, tool_calls: null, refusal: null, audio: null };
    const nulls = {
      messages: [user],
      stream_options: { include_usage: null, continuous_usage_stats: null },
      response_format: { type: null, json_schema: null },
      structured_outputs: { json: null, regex: null, choice: null, whitespace_pattern: null },
      repetition_detection: { max_pattern_size: null },
    };
    expect(textOf(await gateway.answer({ temperature: 0, ...nulls }))).toBe('cat');
  });

  it('include no unknown fields: those are forwarded unchanged', async () => {
    const unknown = { x_foo: { big: 12345678901234567890n }, __proto: 1 };
    const body = JSON.stringify({ ...CAT, model: 'ok', __proto: 1 }).replace(
      '{',
      '{"x_foo" : {"big":12345678901234567890.0},',
    );
    expect((await gateway.ask({ x_foo: 1 })).status).toBe(200);
    expect((await gateway.caller.post('/v1/chat/completions', body)).status).toBe(200);
    expect(String(gateway.fake.requests.at(-1)!.body)).toBe(body);
    expect(Object.keys(gateway.fake.lastJson())).toEqual(expect.arrayContaining(Object.keys(unknown)));
  });

  it("reads an answer's message that comes back, whatever it holds", async () => {
    const { message } = (await gateway.answer({ temperature: 0 })).choices[0]!;
    const turns = (answer: object) => [...said('repeat: cat'), answer, ...said('repeat: dog')];
    const plain = { role: 'assistant', content: 'cat' };
    const idsOf = async (answer: object) =>
      (await gateway.answer({ messages: turns(answer), max_tokens: 1, return_token_ids: true })).prompt_token_ids;
    const echoed = { ...message, annotations: [], tool_calls: null, function_call: null, audio: null, reasoning: null };
    expect(await idsOf(message)).toEqual(await idsOf(plain));
    expect(await idsOf(echoed)).toEqual(await idsOf(plain));
    const called = await gateway.answer({ messages: said('weather in Paris?'), tools: TOOLS, tool_choice: 'required' });
    const [call] = called.choices[0]!.message.tool_calls!;
    const result = { role: 'tool', tool_call_id: call!.id, content: '{"ok":true}' };
    const messages = [...said('weather in Paris?'), called.choices[0]!.message, result];
    expect((await gateway.ask({ messages, tools: TOOLS, max_tokens: 3 })).status).toBe(200);
  });

  it('accept content as text parts', async () => {
    const parts = ['rep', 'eat: ', 'cat'].map((text) => ({ type: 'text', text }));
    const fields = { temperature: 0, return_token_ids: true };
    const [whole, split] = [
      await gateway.answer(fields),
      await gateway.answer({ ...fields, messages: [{ role: 'user', content: parts }] }),
    ];
    expect(split.prompt_token_ids).toEqual(whole.prompt_token_ids);
    expect(split.choices).toEqual(whole.choices);
  });

  describe('with the listed defaults', () => {
    const listed = { headers: { 'Hone-Defaults': 'listed' } };

    it('mean what the interface lists', async () => {
      const fields = { messages: said('hello'), temperature: 2, max_tokens: 8, logprobs: true };
      const bodies = [await gateway.answer(fields, listed), await gateway.answer(fields, listed)];
      expect(bodies[0]!.choices).toEqual(bodies[1]!.choices); // seed 0
      expect(bodies[0]!.choices[0]!.logprobs!.content[0]!.token).toMatch(/^token_id:\d+$/);
      expect(bodies[0]!.choices[0]!.token_ids!.length).toBeGreaterThan(0);
      const sent = { ...fields, seed: 0, return_token_ids: true, return_tokens_as_token_ids: true };
      expect((await gateway.answer(sent)).choices).toEqual(bodies[0]!.choices);
    });

    it('mean that no tool is called', async () => {
      const weather = { messages: said('What is the weather in Paris?'), tools: TOOLS };
      expect(textOf(await gateway.answer(weather, listed))).not.toBe('');
    });

    it('are sent to upstreams as fields', async () => {
      await gateway.answer({ model: 'ok', seed: 3 }, listed);
      expect(gateway.fake.lastJson()).toMatchObject({
        seed: 3,
        return_token_ids: true,
        return_tokens_as_token_ids: true,
      });
      expect(gateway.fake.lastJson()).not.toHaveProperty('tool_choice');
      await gateway.answer({ model: 'ok' });
      expect(gateway.fake.lastJson()).toEqual({ ...CAT, model: 'ok' });
    });

    it('depend on the key, and a request overrides it', async () => {
      await gateway.sql(`UPDATE api_keys SET attributes = '{"chat_defaults":"listed"}' WHERE id = $1`, [
        (await gateway.user('lister')).keyId,
      ]);
      const { key } = await gateway.user('lister2');
      await gateway.sql(`UPDATE api_keys SET attributes = '{"chat_defaults":"listed"}' WHERE prefix = $1`, [
        key.slice(0, 12),
      ]);
      const caller = gateway.as(`Bearer ${key}`);
      expect((await caller.post('/v1/chat/completions', CAT)).json()).toHaveProperty('prompt_token_ids');
      const plain = { headers: { 'hone-defaults': 'openai' } };
      expect((await caller.post('/v1/chat/completions', CAT, plain)).json()).not.toHaveProperty('prompt_token_ids');
    });
  });
});
