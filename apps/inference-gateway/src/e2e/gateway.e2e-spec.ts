import { MeteringService } from '../metering/recording/metering.service.js';
import { type GatewayApp, startGatewayApp } from './gateway-app.fixture.js';

const CAT = { model: 'hone-tiny', messages: [{ role: 'user', content: 'repeat: cat' }], temperature: 0 };
const PATH = '/v1/chat/completions';

interface Frame {
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** The JSON of each frame of a stream, without its last line. */
const framesOf = (text: string): Frame[] =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => JSON.parse(frame.slice(6)) as Frame);

describe('the inference surface', () => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    gateway = await startGatewayApp();
  });
  afterAll(() => gateway.close());

  it('answers from the bundled model, without a configuration', async () => {
    const { status, json, headers } = await gateway.caller.post(PATH, CAT);
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'hone-tiny',
      system_fingerprint: expect.stringMatching(/^fp_[0-9a-f]{12}$/),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'cat', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        prompt_tokens_details: { cached_tokens: expect.any(Number) },
      },
    });
    expect(headers).toMatchObject({
      'hone-model': 'hone-tiny',
      'hone-target': 'local/hone-tiny',
      'hone-attempts': '1',
    });
    expect(`chatcmpl-${String(headers['x-request-id'])}`).toBe(json().id);
  });

  it('streams the same answer, on both forms of the path', async () => {
    for (const path of [PATH, `${PATH}/`]) {
      const { status, text, headers } = await gateway.caller.post(path, { ...CAT, stream: true });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
      const frames = framesOf(text);
      expect(frames.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('cat');
      expect(frames.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual(['stop']);
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    }
  });

  it('returns the usage of a stream on request', async () => {
    const { text } = await gateway.caller.post(PATH, { ...CAT, stream: true, stream_options: {} });
    const { choices, usage } = framesOf(text).at(-1) as Frame;
    expect(choices).toEqual([]);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? NaN) + (usage?.completion_tokens ?? NaN));
  });

  it('takes the request id from the header, or else from the body', async () => {
    const options = { headers: { 'x-request-id': 'from-header' } };
    const body = { ...CAT, request_id: 'from-body' };
    expect((await gateway.caller.post(PATH, body, options)).json().id).toBe('chatcmpl-from-header');
    expect((await gateway.caller.post(PATH, body)).json().id).toBe('chatcmpl-from-body');
    const bad = { headers: { 'x-request-id': 'a"b' } };
    expect((await gateway.caller.post(PATH, body, bad)).json().id).toBe('chatcmpl-from-body');
  });

  it.each([
    ['no credentials', undefined],
    ['another scheme', `Basic ${Buffer.from('api:x').toString('base64')}`],
    ['an unknown key', 'Bearer hone_unknown'],
  ])('answers 401 to %s, whatever the body', async (_name, authorization) => {
    const { status, headers, json } = await gateway.as(authorization).post(PATH, 'no JSON');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="hone"');
    expect(json()).toEqual({
      detail: 'Authentication failed',
      error: { message: 'Authentication failed', type: 'authentication_error', param: null, code: 'invalid_api_key' },
    });
  });

  it('names invalid fields in both error formats', async () => {
    const { status, json, headers } = await gateway.caller.post(PATH, { ...CAT, temperature: 3 });
    expect(status).toBe(422);
    expect(headers['x-should-retry']).toBe('false');
    const msg = 'Input should be less than or equal to 2';
    expect(json()).toEqual({
      detail: [{ loc: ['body', 'temperature'], msg, type: 'less_than_equal' }],
      error: {
        message: `body.temperature: ${msg}`,
        type: 'invalid_request_error',
        param: 'temperature',
        code: 'less_than_equal',
      },
    });
  });

  it('names the fields that the model does not support', async () => {
    const { status, json } = await gateway.caller.post(PATH, { ...CAT, use_beam_search: true });
    expect(status).toBe(422);
    expect(json().detail).toEqual([
      { loc: ['body', 'use_beam_search'], msg: expect.any(String), type: 'unsupported_parameter' },
    ]);
  });

  it('refuses a prompt that is too long', async () => {
    const messages = [{ role: 'user', content: 'x '.repeat(5_000) }];
    const { status, json } = await gateway.caller.post(PATH, { ...CAT, messages });
    expect({ status, code: json().error.code }).toEqual({ status: 400, code: 'context_length_exceeded' });
  });

  it('answers 404 for an unknown model', async () => {
    for (const model of ['nobody', 'hone-artifact:///acme/demo/agent', 'hone-artifact:///../x/y']) {
      const { status, json } = await gateway.caller.post(PATH, { ...CAT, model });
      expect({ status, code: json().error.code }).toEqual({ status: 404, code: 'model_not_found' });
    }
  });

  it('answers 403 for a project that the caller may not use', async () => {
    const options = { headers: { 'OpenAI-Project': 'nobody/nothing' } };
    const { status, json } = await gateway.caller.post(PATH, CAT, options);
    expect({ status, code: json().error.code }).toEqual({ status: 403, code: 'project_forbidden' });
  });

  it('lists its models, each with five fields, and one of them', async () => {
    const entry = {
      id: 'hone-tiny',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'hone',
      root: 'hone-tiny',
    };
    expect((await gateway.caller.get('/v1/models')).json()).toEqual({ object: 'list', data: [entry] });
    expect((await gateway.caller.get('/v1/models/')).json().data).toEqual([entry]);
    expect((await gateway.caller.get('/v1/models/hone-tiny')).json()).toEqual(entry);
    expect((await gateway.caller.get('/v1/models/nobody')).status).toBe(404);
  });

  it('answers 405 and 404 in the error format of the API', async () => {
    const wrongMethod = await gateway.caller.put(PATH, CAT);
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.allow).toBe('POST, OPTIONS');
    expect((await gateway.caller.get('/v1/nope')).json().error.code).toBe('not_found');
  });

  it('records the usage of each answer once', async () => {
    const before = await usedRequests(gateway);
    await gateway.caller.post(PATH, CAT);
    await gateway.caller.post(PATH, { ...CAT, stream: true });
    expect(await usedRequests(gateway)).toBe(before + 2);
  });
});

/** Number of usage records, after the journal was flushed. */
async function usedRequests(gateway: GatewayApp): Promise<number> {
  await gateway.app.get(MeteringService).flush();
  return gateway.db.client.usageRecord.count();
}
