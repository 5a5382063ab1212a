import Anthropic from '@anthropic-ai/sdk';
import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';
import OpenAI from 'openai';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { fakeUpstream, routeTo } from '../faults/fake-upstreams.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';
import { PromptObjects } from './prompt-objects.fixture.js';

/** What the fake does natively, and what a call keeps of it. */
const SEARCHES = 'ok+search+reasoning';
const CALLS = 'ok+tool-call';
const TEXT = 'n0 n1 n2 n3 n4 n5 n6 n7';

interface Row {
  status: string;
  prompt: number;
  cached: number;
  completion: number;
  reasoning: number;
  source: string;
}

interface StoredCall {
  inputs: { messages: object[] };
  output: { choices: { message: object; finish_reason: string }[] };
}

describe('upstreams that speak responses and messages, by unmodified clients', () => {
  let native: FakeUpstream;
  let chats: FakeUpstream;
  let gateway: GatewayApp;
  let openai: OpenAI;
  let anthropic: Anthropic;
  beforeAll(async () => {
    native = await FakeUpstream.start({ name: 'n', key: 'upstream-key' });
    chats = await FakeUpstream.start({ name: 'c' });
    process.env.NATIVE_KEY = 'upstream-key';
    const models = ['ok', SEARCHES, CALLS, 'cut@3', 'status@529', 'ok+no-usage'];
    const spoken = { speaks: ['responses', 'messages'], key_env: 'NATIVE_KEY', dialect: 'openai', token_frames: false };
    const both = (id: string, first: string, second: string, model = 'ok') =>
      routeTo(id, { upstream: first, model }, { upstream: second, model: 'ok' });
    gateway = await startGatewayApp({
      upstreams: [
        fakeUpstream(native, 'native', models, { ...spoken, retries: 0 }),
        fakeUpstream(chats, 'chats', ['ok']),
      ],
      routes: [
        ...models.map((model) => routeTo(model, { upstream: 'native', model })),
        both('chats first', 'chats', 'native'),
        both('native first', 'native', 'chats', 'cut@3'),
        routeTo('chats only', { upstream: 'chats', model: 'ok' }),
        ...['native', 'chats'].map((upstream) => ({
          ...routeTo(`kept of ${upstream}`, { upstream, model: 'ok' }),
          cache: { ttl_s: 60, max_bytes: 1_000_000 },
        })),
      ],
    });
    await gateway.app.listen(0, '127.0.0.1');
    const url = await gateway.app.getUrl();
    openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: gateway.writer.key, maxRetries: 0 });
    anthropic = new Anthropic({ baseURL: url, apiKey: gateway.writer.key, maxRetries: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([native.stop(), chats.stop()]);
    delete process.env.NATIVE_KEY;
  });
  beforeEach(() => {
    native.forget();
    chats.forget();
  });

  /** The only row of a request, and its call. */
  const recorded = async (id: string): Promise<{ row: Row | undefined; call: StoredCall }> => {
    const rid = id.replace(/^(resp|msg)_/, '');
    const call = await until(async () => {
      await gateway.app.get(MeteringService).flush();
      const found = await gateway.sql<StoredCall>(
        `SELECT inputs_text::json inputs, output_text::json output FROM call_values WHERE id = '${rid}'`,
      );
      return found[0] ?? false;
    }, 'a call');
    const rows = await gateway.sql<Row>(
      `SELECT status, prompt_tokens prompt, cached_tokens cached, completion_tokens completion,
         reasoning_tokens reasoning, source FROM usage_records WHERE rid = '${rid}'`,
    );
    expect(rows).toHaveLength(1);
    return { row: rows[0], call };
  };
  const used = { status: 'ok', prompt: 9, cached: 4, completion: 9, reasoning: 2, source: 'upstream' };
  const said = { role: 'assistant', content: TEXT };
  /** Paths that were asked, and what stood in place of the model's name. */
  const asked = (fake: FakeUpstream) => fake.requests.map(({ path }) => path);

  const tools = [{ type: 'web_search' as const }];
  const include = ['reasoning.encrypted_content' as const];
  const response = { model: SEARCHES, input: 'hi', tools, include, x_unknown: { big: 1 } };
  const search = { type: 'web_search_20250305' as const, name: 'web_search' as const };
  const turns = [{ role: 'user' as const, content: 'hi' }];
  const message = { model: SEARCHES, max_tokens: 100, messages: turns, tools: [search] };

  describe('responses', () => {
    it('go on with what only their upstream knows', async () => {
      const given = await openai.responses.create(response);
      expect(given.output.map(({ type }) => type)).toEqual(['reasoning', 'web_search_call', 'message']);
      expect(given.output[0]).toMatchObject({ encrypted_content: 'ZW5jcnlwdGVk' });
      expect([given.output_text, given.usage?.total_tokens]).toEqual([TEXT, 18]);
      expect(native.lastJson()).toEqual(response);
      const { row, call } = await recorded(given.id);
      expect(row).toEqual(used);
      expect(call.inputs.messages).toEqual([{ role: 'user', content: 'hi' }]);
      expect(call.output.choices).toMatchObject([{ message: said, finish_reason: 'stop' }]);
    });

    it.each([
      ['native', 'bypass', 'bypass'],
      ['chats', 'miss', 'hit'],
    ])('are kept by the cache only where their upstream gets chats: %s', async (upstream, ...expected) => {
      const create = () => openai.responses.create({ model: `kept of ${upstream}`, input: 'hi' }).withResponse();
      const given = [await create(), await create()];
      expect(given.map(({ response: { headers } }) => headers.get('hone-cache'))).toEqual(expected);
      const text = TEXT.replaceAll('n', upstream.slice(0, 1));
      expect(given.map(({ data }) => data.output_text)).toEqual([text, text]);
      const ids = given.map(({ data }) => data.id);
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(JSON.stringify((await recorded(id)).call.output)).toContain(text);
    });

    it('go on without the models that they fall back to', async () => {
      const models = ['cut@3', 'ok'];
      const given = await openai.post('/responses', { body: { models, input: 'hi', tools } });
      expect(given).toMatchObject({ status: 'completed' });
      const sent = native.requests.map(({ body }) => JSON.parse(body.toString()) as object);
      expect(sent).toEqual(models.map((model) => ({ model, input: 'hi', tools })));
    });

    it('are translated where they name a prompt object, which is in no form but that of chats', async () => {
      const [project] = await gateway.sql<{ id: string }>('SELECT id FROM projects');
      const messages = [{ role: 'system', content: 'Be {{how}}.' }];
      await new PromptObjects(gateway, gateway.writer.id).publish(project!.id, 'be', {
        _type: 'MessagesPrompt',
        messages,
      });
      const prompt = { id: 'be', variables: { how: 'brief' } };
      expect((await openai.responses.create({ model: 'ok', input: 'hi', prompt })).output_text).toBe(TEXT);
      expect(asked(native)).toEqual(['/v1/chat/completions']);
      expect(native.lastJson()).toMatchObject({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hi' },
        ],
      });
      const refused = openai.responses.create({ ...response, prompt });
      await expect(refused).rejects.toMatchObject({ status: 422, param: 'tools.0.type' });
    });

    it('stream so', async () => {
      const types = new Set<string>();
      const stream = openai.responses.stream(response);
      for await (const { type } of stream) types.add(type);
      const given = await stream.finalResponse();
      expect(given.output_text).toBe(TEXT);
      expect([...types].filter((type) => /created|delta|completed/.test(type))).toEqual([
        'response.created',
        'response.output_text.delta',
        'response.completed',
      ]);
      const { row, call } = await recorded(given.id);
      expect(row).toEqual(used);
      expect(call.output.choices).toMatchObject([{ message: said, finish_reason: 'stop' }]);
    });

    it('are the same bytes, but for the name of the model', async () => {
      const body = `{ "input" : "hi","model":"chats first", "big": 12345678901234567890, "tools":[{"type":"web_search"}] }`;
      const headers = { 'content-type': 'application/json' };
      await gateway.caller.post('/v1/responses', Buffer.from(body), { headers });
      const sent = String(native.requests[0]?.body);
      expect(sent).toBe('{"input" : "hi","model":"ok","big": 12345678901234567890,"tools":[{"type":"web_search"}]}');
    });

    it('call the functions of the caller', async () => {
      const given = await openai.responses.create({ model: CALLS, input: 'hi' });
      const { call } = await recorded(given.id);
      expect(call.output.choices).toMatchObject([
        {
          message: { tool_calls: [{ id: 'call_0', function: { name: 'fake', arguments: TEXT } }] },
          finish_reason: 'tool_calls',
        },
      ]);
    });

    it('have their usage estimated where the upstream reports none', async () => {
      const { row } = await recorded((await openai.responses.create({ model: 'ok+no-usage', input: 'hi' })).id);
      expect(row).toMatchObject({ status: 'ok', source: 'estimated', completion: expect.any(Number) });
    });

    it('are stored, and continued with what was said', async () => {
      const first = await openai.responses.create({ model: 'ok', input: 'hi', instructions: 'Be brief.' });
      expect((await openai.responses.retrieve(first.id)).output_text).toBe(TEXT);
      const asked = { model: 'ok', input: 'on', previous_response_id: first.id };
      expect(await openai.responses.create(asked)).toMatchObject({ previous_response_id: first.id });
      const { input, previous_response_id: previous } = native.lastJson();
      expect(previous).toBeUndefined();
      expect(input).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: 'on' }]);
      expect(JSON.stringify(input)).toContain(TEXT);
      const streamed = openai.responses.stream(asked);
      const named: unknown[] = [];
      streamed.on('response.created', ({ response: { previous_response_id: id } }) => named.push(id));
      named.push((await streamed.finalResponse()).previous_response_id);
      expect(named).toEqual([first.id, first.id]);
    });
  });

  describe('messages', () => {
    it('go on with what only their upstream knows', async () => {
      const headers = { 'anthropic-beta': 'interleaved-thinking-2025-05-14' };
      const given = await anthropic.messages.create(message, { headers });
      expect(given.content.map(({ type }) => type)).toEqual([
        'thinking',
        'server_tool_use',
        'web_search_tool_result',
        'text',
      ]);
      expect(given.content[0]).toMatchObject({ signature: 'c2lnbmVk' });
      expect(native.lastJson()).toEqual(message);
      expect(native.requests[0]?.headers).toMatchObject({ ...headers, 'anthropic-version': expect.any(String) });
      expect(native.requests[0]?.headers['x-api-key']).toBeUndefined();
      const { row, call } = await recorded(given.id);
      expect(row).toEqual(used);
      expect(call.output.choices).toMatchObject([{ message: { ...said, reasoning: 'hm' }, finish_reason: 'stop' }]);
    });

    it('stream so', async () => {
      const given = await anthropic.messages.stream(message).finalMessage();
      expect(given.content.map(({ type }) => type)).toContain('web_search_tool_result');
      expect(given.content.at(-1)).toMatchObject({ text: TEXT });
      expect(given.content[0]).toMatchObject({ signature: 'c2lnbmVk' });
      const { row, call } = await recorded(given.id);
      expect(row).toEqual(used);
      expect(call.output.choices).toMatchObject([{ message: { ...said, reasoning: 'hm' }, finish_reason: 'stop' }]);
    });

    it('call the tools of the caller', async () => {
      const given = await anthropic.messages.stream({ ...message, model: CALLS }).finalMessage();
      expect(given.content).toMatchObject([{ type: 'tool_use', input: { said: TEXT } }]);
      const { call } = await recorded(given.id);
      const sent = JSON.stringify({ said: TEXT });
      expect(call.output.choices).toMatchObject([
        { message: { tool_calls: [{ id: 'toolu_0', function: { name: 'fake', arguments: sent } }] } },
      ]);
    });

    it('are counted by their upstream', async () => {
      expect(await anthropic.messages.countTokens({ model: 'ok', messages: turns })).toEqual({ input_tokens: 42 });
    });

    it('say that their upstream is overloaded', async () => {
      const refused = anthropic.messages.create({ ...message, model: 'status@529' });
      await expect(refused).rejects.toMatchObject({ status: 503, error: { error: { type: 'overloaded_error' } } });
    });
  });

  describe('a route with targets of both kinds', () => {
    it('asks the first in its form', async () => {
      await openai.responses.create({ model: 'chats first', input: 'hi' });
      expect([asked(chats), asked(native)]).toEqual([['/v1/chat/completions'], []]);
    });

    it('asks only those that can carry what is asked', async () => {
      await openai.responses.create({ model: 'chats first', input: 'hi', tools });
      await anthropic.messages.create({ ...message, model: 'chats first' });
      expect([asked(chats), asked(native)]).toEqual([[], ['/v1/responses', '/v1/messages']]);
    });

    it('fails over from one form to the other', async () => {
      const headers = { 'Hone-Stream-Guard': 'buffered' };
      const given = await openai.responses.stream({ model: 'native first', input: 'hi' }, { headers }).finalResponse();
      expect(given.output_text).toBe(TEXT.replaceAll('n', 'c'));
      const said = await anthropic.messages.create({ ...message, tools: [], model: 'native first' });
      expect(said.content).toMatchObject([{ type: 'text', text: TEXT.replaceAll('n', 'c') }]);
      expect(asked(native)).toEqual(['/v1/responses', '/v1/messages']);
      expect(new Set(asked(chats))).toEqual(new Set(['/v1/chat/completions']));
    });
  });

  it('refuses by its name what no target can carry', async () => {
    const one = openai.responses.create({ model: 'chats only', input: 'hi', tools });
    await expect(one).rejects.toMatchObject({ status: 422, param: 'tools.0.type' });
    const other = anthropic.messages.create({ ...message, model: 'chats only' });
    await expect(other).rejects.toMatchObject({
      status: 422,
      error: { error: { details: { param: 'tools.0.type' } } },
    });
    const later = openai.responses.create({ model: 'ok', input: 'hi', background: true });
    await expect(later).rejects.toMatchObject({ status: 422, param: 'background' });
  });
});
