import { FakeUpstream } from '@hone/testing/fakes';
import OpenAI from 'openai';

import { toCallId } from '../../doors/translation/call-id.js';
import { fakeUpstream } from '../faults/fake-upstreams.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

/** Deployments of Azure, and a model of Gemini; names of the fake are scenarios. */
const [DEPLOYED, NEWER, GEMINI] = ['ok+as@deployed', 'ok+as@newer', 'ok+as@gemini'];

describe('upstreams of hosted services, by the client openai', () => {
  let fake: FakeUpstream;
  let gateway: GatewayApp;
  let client: OpenAI;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'n', key: 'upstream-key' });
    process.env.HOSTED_KEY = 'upstream-key';
    const hosted = { key_env: 'HOSTED_KEY', token_frames: false };
    const azure = { ...hosted, dialect: 'azure', speaks: ['responses'] };
    gateway = await startGatewayApp({
      upstreams: [
        fakeUpstream(fake, 'azure', [DEPLOYED], { ...azure, api_version: '2024-10-21' }),
        fakeUpstream(fake, 'azure-v1', [NEWER], azure),
        fakeUpstream(fake, 'gemini', [GEMINI], { ...hosted, dialect: 'gemini' }),
      ],
    });
    await gateway.app.listen(0, '127.0.0.1');
    client = new OpenAI({ baseURL: `${await gateway.app.getUrl()}/v1`, apiKey: gateway.writer.key, maxRetries: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
    delete process.env.HOSTED_KEY;
  });
  beforeEach(() => fake.forget());

  const messages = [{ role: 'user' as const, content: 'hi' }];
  const asked = () => fake.requests.map(({ path }) => path);

  it('asks a deployment of Azure at its address, with the version and the key', async () => {
    await client.chat.completions.create({ model: DEPLOYED, messages });
    await client.responses.create({ model: DEPLOYED, input: 'hi' });
    expect(asked()).toEqual([
      '/v1/deployments/ok%2Bas%40deployed/chat/completions?api-version=2024-10-21',
      '/v1/responses?api-version=2024-10-21',
    ]);
    const { headers } = fake.requests[0]!;
    expect([headers['api-key'], headers.authorization]).toEqual(['upstream-key', undefined]);
  });

  it('asks the newer interface of Azure as it asks OpenAI', async () => {
    const stream = await client.chat.completions.create({ model: NEWER, messages, stream: true });
    for await (const { model } of stream) expect(model).toBe(NEWER);
    expect(asked()).toEqual(['/v1/chat/completions']);
  });

  it('sends Gemini no field that it does not have, and its signatures as they came', async () => {
    const extra_content = { google: { thought_signature: 'c2lnbmVk' } };
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' }, extra_content };
    const turns = [
      ...messages,
      { role: 'assistant' as const, content: null, tool_calls: [call] },
      { role: 'tool' as const, tool_call_id: 'c', content: 'done' },
    ];
    const fields = { model: GEMINI, messages: turns, reasoning_effort: 'low' as const };
    await client.chat.completions.create({
      ...fields,
      store: false,
      user: 'u',
      metadata: { a: 'b' },
      service_tier: 'auto',
    });
    expect(fake.lastJson()).toEqual(fields);
  });

  it('sends Gemini the signatures of calls through other doors, by the ids that their callers got', async () => {
    const extra_content = { google: { thought_signature: 'c2lnbmVk+/=' } };
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content };
    const id = toCallId(call, '');
    await client.responses.create({
      model: GEMINI,
      input: [
        { role: 'user', content: 'hi' },
        { type: 'function_call', call_id: id, name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: id, output: 'done' },
      ],
    });
    const [, asked, result] = fake.lastJson()['messages'] as object[];
    expect([asked, result]).toMatchObject([{ tool_calls: [call] }, { role: 'tool', tool_call_id: 'c' }]);
    const { status } = await gateway.caller.post('/v1/messages', {
      ...{ model: GEMINI, max_tokens: 9 },
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
      ],
    });
    expect(status).toBe(200);
    const [, used, told] = fake.lastJson()['messages'] as object[];
    expect([used, told]).toMatchObject([{ tool_calls: [call] }, { role: 'tool', tool_call_id: 'c' }]);
  });

  it('refuses what Gemini does not honour', async () => {
    const refused = client.chat.completions.create({ model: GEMINI, messages, logit_bias: { 1: 1 } });
    await expect(refused).rejects.toMatchObject({ status: 422, param: 'logit_bias' });
  });
});
