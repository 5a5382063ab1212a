import OpenAI from 'openai';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { EmbeddingServer } from '../embedding-server.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

describe('embeddings', () => {
  const server = new EmbeddingServer();
  let gateway: GatewayApp;
  let client: OpenAI;
  beforeAll(async () => {
    const upstream = {
      name: 'e',
      kind: 'openai-compatible',
      base_url: await server.start(),
      retries: 0,
      breaker_failures: 1_000,
    };
    gateway = await startGatewayApp({
      upstreams: [
        { ...upstream, models: [{ name: 'embedder', kind: 'embedding', max_batch: 3 }, { name: 'chatter' }] },
      ],
    });
    await gateway.app.listen(0, '127.0.0.1');
    client = new OpenAI({ baseURL: `${await gateway.app.getUrl()}/v1`, apiKey: gateway.writer.key, maxRetries: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    await server.stop();
  });
  beforeEach(() => (server.requests.length = 0));

  it('come from models that the list tells from others', async () => {
    const { data } = (await gateway.caller.get('/v1/models')).json();
    expect(data.map(({ id, kind }: { id: string; kind?: string }) => [id, kind])).toEqual([
      ['hone-tiny', undefined],
      ['embedder', 'embedding'],
      ['chatter', undefined],
    ]);
    expect((await gateway.caller.get('/v1/models/embedder')).json().kind).toBe('embedding');
  });

  const embed = (body: object) => gateway.caller.post('/v1/embeddings', { model: 'embedder', ...body });

  it('are those of the upstream, by the client openai, which asks for base64', async () => {
    const { data, usage, model } = await client.embeddings.create({ model: 'embedder', input: ['a', 'bcd'] });
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [1, 0, 0.5],
      [3, 1, 0.5],
    ]);
    expect([usage, model]).toEqual([{ prompt_tokens: 4, total_tokens: 4 }, 'embedder']);
    expect(server.requests).toEqual([expect.objectContaining({ path: '/v1/embeddings', encoding_format: 'base64' })]);
  });

  it('of more inputs than the upstream takes at once are asked for in parts, and joined in order', async () => {
    const input = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'f', 'gg'];
    const { json } = await embed({ input });
    const { data, usage } = json();
    expect(server.requests.map((request) => request.input.length)).toEqual([3, 3, 1]);
    expect(data.map(({ index, embedding }: never) => [index, embedding[0]])).toEqual(
      input.map((text, at) => [at, text.length]),
    );
    expect(usage.prompt_tokens).toBe(input.join('').length);
  });

  it('of token ids are of one input, and go to the upstream as they are', async () => {
    server.script.push({ status: 200, body: { data: [{ index: 0, embedding: [1] }] } });
    const { status, json } = await embed({ input: [1, 2, 3, 4] });
    expect([status, json().data]).toEqual([200, [{ object: 'embedding', index: 0, embedding: [1] }]]);
    expect(server.requests.map(({ input }) => input)).toEqual([[1, 2, 3, 4]]);
  });

  it.each([
    [{ input: '' }, 'body.input'],
    [{ input: [] }, 'body.input'],
    [{ input: ['a', ''] }, 'body.input.1'],
    [{ input: ['a', 1] }, 'body.input.1'],
    [{ input: [[1], ['x']] }, 'body.input.1.0'],
    [{ input: [1, 1.5] }, 'body.input.1'],
    [{ input: [1, -1] }, 'body.input.1'],
    [{ input: 'a', dimensions: 0 }, 'body.dimensions'],
    [{ input: 'a', encoding_format: 'hex' }, 'body.encoding_format'],
    [{}, 'body.input'],
  ])('refuse %j', async (body, loc) => {
    const { status, json } = await embed(body);
    expect([status, json().detail[0].loc.join('.')]).toEqual([422, loc]);
  });

  it('refuse more token ids than can be checked between other requests', async () => {
    const ids = Array.from({ length: 1_000_001 }, () => 1);
    for (const input of [ids, [[1], ids.slice(1)]]) {
      const { status, json } = await embed({ input });
      expect([status, json().detail]).toEqual([
        422,
        [{ loc: ['body', 'input'], msg: 'Input should have at most 1000000 token ids', type: 'too_many' }],
      ]);
    }
  });

  it.each([
    ['fewer embeddings', { data: [{ index: 0, embedding: [1] }] }],
    [
      'two of one place',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      'two of other lengths',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1, 2] },
        ],
      },
    ],
    ['none', { choices: [] }],
    [
      'no numbers',
      {
        data: [
          { index: 0, embedding: ['x'] },
          { index: 1, embedding: [] },
        ],
      },
    ],
  ])('are never half of those asked for: %s', async (_name, body) => {
    server.script.push({ status: 200, body });
    const { status } = await embed({ input: ['a', 'b'] });
    expect(status).toBe(502);
  });

  it('are made by models for them alone, which answer no chats', async () => {
    const wrong = await gateway.caller.post('/v1/embeddings', { model: 'chatter', input: 'a' });
    expect([wrong.status, wrong.json().error.code]).toEqual([404, 'model_not_found']);
    expect(wrong.json().error.message).toContain('These do: embedder.');
    const chat = { model: 'embedder', messages: [{ role: 'user', content: 'a' }] };
    const other = await gateway.caller.post('/v1/chat/completions', chat);
    expect([other.status, other.json().error.code]).toEqual([404, 'model_not_found']);
  });

  it('are booked, and are calls without their numbers', async () => {
    const { headers } = await embed({ input: ['hello'] });
    const id = String(headers['hone-call']).split('/').at(-1);
    await gateway.app.get(MeteringService).flush();
    const [call] = await gateway.sql(
      `SELECT c.op_name, v.inputs_text::json inputs, v.output_text::json output, u.prompt_tokens, u.completion_tokens
       FROM calls c JOIN call_values v USING (project_id, id) JOIN usage_records u ON u.rid = c.id WHERE c.id = '${id}'`,
    );
    expect(call).toEqual({
      op_name: 'hone:///wendy/default/op/embeddings:v0',
      inputs: { model: 'embedder', input: ['hello'] },
      output: { object: 'list', usage: { prompt_tokens: 5, total_tokens: 5 } },
      prompt_tokens: 5,
      completion_tokens: 0,
    });
  });
});
