import Anthropic, { APIError, AuthenticationError, NotFoundError, UnprocessableEntityError } from '@anthropic-ai/sdk';

import { type ClientsApp, FAULT_TABLE, startClientsApp } from './clients.fixture.js';

describe('errors of messages, by the client @anthropic-ai/sdk', () => {
  let gateway: ClientsApp;
  let client: Anthropic;
  beforeAll(async () => {
    gateway = await startClientsApp();
    client = new Anthropic({ baseURL: gateway.baseUrl.replace(/\/v1$/, ''), apiKey: gateway.key });
  });
  afterAll(() => gateway.close());

  const hello = { max_tokens: 20, messages: [{ role: 'user' as const, content: 'repeat: cat' }] };
  const weather = { name: 'get_weather', input_schema: { type: 'object' as const } };

  it('refuses a wrong key', async () => {
    const stranger = new Anthropic({ baseURL: gateway.baseUrl.replace(/\/v1$/, ''), apiKey: 'hone_nobody' });
    const error = await stranger.messages.create({ ...hello, model: 'hone-tiny' }).catch((caught) => caught);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ type: 'authentication_error', errorCode: 'invalid_api_key' });
  });

  it('names the model that is not there, and the request', async () => {
    const error = await client.messages.create({ ...hello, model: 'nobody' }).catch((caught) => caught);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ type: 'not_found_error', errorCode: 'model_not_found' });
    expect(error.error.request_id).toBe(error.requestID);
  });

  it('waits for Retry-After when the upstream is overloaded', async () => {
    const { content } = await client.messages.create({ ...hello, model: FAULT_TABLE.busyOnce });
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('f0') }]);
    expect(gateway.fake.count(FAULT_TABLE.busyOnce)).toBe(2);
  });

  const said = (content: unknown) => ({ messages: [{ role: 'user', content }] });
  it.each<[object, string]>([
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: null }, 'max_tokens'],
    [{ messages: [] }, 'messages'],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools.0.type'],
    [{ tools: [{ name: '', input_schema: { type: 'object' } }] }, 'tools.0.name'],
    [{ tools: [{ name: 'f', input_schema: 3 }] }, 'tools.0.input_schema'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice'],
    [{ tool_choice: { type: 'tool' }, tools: [weather] }, 'tool_choice.name'],
    [said([{ type: 'container_upload', file_id: 'x' }]), 'messages.0.content.0.type'],
    [said([{ type: 'image', source: { type: 'file', file_id: 'x' } }]), 'messages.0.content.0.source.type'],
    [said([{ type: 'document', source: { type: 'url', url: 'x' } }]), 'messages.0.content.0.source.type'],
    [{ thinking: { type: 'between_tools' } }, 'thinking.type'],
    [{ stop_sequences: [''] }, 'stop_sequences.0'],
    [{ metadata: { user_id: 'x'.repeat(513) } }, 'metadata.user_id'],
    [{ output_config: { task_budget: {} } }, 'output_config.task_budget'],
    [{ mcp_servers: [] }, 'mcp_servers'],
    [{ container: 'x' }, 'container'],
    [{ speed: 'fast' }, 'speed'],
  ])('refuses what it cannot carry by its name: %j', async (changes, param) => {
    const asked = { ...hello, model: 'scripted', ...changes } as unknown as Anthropic.MessageCreateParamsNonStreaming;
    const error = await client.messages.create(asked).catch((caught) => caught);
    expect(error).toBeInstanceOf(UnprocessableEntityError);
    expect(error).toMatchObject({ type: 'invalid_request_error', details: { param } });
  });

  it('says which block the model cannot read', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const content = [{ type: 'text', text: 'What is it?' }, image];
    const asked = { ...hello, model: 'hone-tiny', system: 'Be brief.', ...said(content) };
    const error = await client.messages.create(asked as typeof hello & { model: string }).catch((caught) => caught);
    expect(error).toMatchObject({ status: 422, details: { param: 'messages.0.content.1.type' } });
  });

  it.each([
    [FAULT_TABLE.broken, 'stream_interrupted'],
    [FAULT_TABLE.failed, 'upstream_failed'],
  ])('throws for an interrupted stream (%s)', async (model, code) => {
    const messages = [{ role: 'user' as const, content: 'x' }];
    const read = () => client.messages.stream({ model, messages, max_tokens: 20 }).finalMessage();
    const error = await read().catch((caught) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ type: 'api_error', errorCode: code });
  });
});
