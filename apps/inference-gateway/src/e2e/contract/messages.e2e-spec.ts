import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { Exchanges } from '../../http/exchanges.js';
import { connectedClient } from '../connected-client.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';
import { CAT, CHAT, upstreamsOf } from './contract.fixture.js';

const MESSAGES = '/v1/messages';
const COUNT = `${MESSAGES}/count_tokens`;
const HELLO = { ...CAT, max_tokens: 5 };
const SITE = 'https://app.example';

describe('the messages API', () => {
  let gateway: GatewayApp;
  const lines: string[] = [];
  let fake: FakeUpstream;
  beforeAll(async () => {
    fake = await FakeUpstream.start();
    const settings = { cors: { origins: [SITE] }, forward_headers: ['X-Api-Key', 'X-Tenant'] };
    gateway = await startGatewayApp(upstreamsOf(fake, settings), (line) => lines.push(line));
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  /** A client with keep-alive connections that sends no `Authorization`. */
  const anonymous = () => connectedClient(gateway.app, undefined);
  const withKey = (key: string) => ({ headers: { 'x-api-key': key } });

  it.each([MESSAGES, COUNT, CHAT])('%s takes the key as x-api-key, again and again', async (path) => {
    const client = anonymous();
    for (const _ of [1, 2]) expect((await client.post(path, HELLO, withKey(gateway.writer.key))).status).toBe(200);
    expect((await client.post(path, HELLO, withKey('hone_nobody'))).status).toBe(401);
    expect((await client.post(path, HELLO)).status).toBe(401);
    expect((await client.post(path, HELLO, withKey(`Bearer ${gateway.writer.key}`))).status).toBe(401);
  });

  it('lets Authorization take precedence over x-api-key', async () => {
    const { key } = gateway.writer;
    const right = { headers: { authorization: `Bearer ${key}`, 'x-api-key': 'hone_nobody' } };
    expect((await anonymous().post(MESSAGES, HELLO, right)).status).toBe(200);
    const wrong = { headers: { authorization: 'Bearer hone_nobody', 'x-api-key': key } };
    expect((await anonymous().post(MESSAGES, HELLO, wrong)).status).toBe(401);
  });

  it('forwards no key to an upstream, even if the configuration names its header', async () => {
    const headers = { 'x-api-key': gateway.writer.key, 'x-tenant': 'blue' };
    expect((await anonymous().post(MESSAGES, { ...HELLO, model: 'ok' }, { headers })).status).toBe(200);
    const { headers: sent } = fake.requests.at(-1)!;
    expect(sent['x-tenant']).toBe('blue');
    expect(JSON.stringify(sent)).not.toContain(gateway.writer.key);
  });

  it('logs no key', () => {
    expect(lines.join('')).toContain('"result":"refused"');
    expect(lines.join('')).not.toContain(gateway.writer.key);
  });

  it('has errors in a form of its own, with the id of the request', async () => {
    const { status, headers, json } = await gateway.caller.post(MESSAGES, { ...HELLO, max_tokens: 0 });
    const msg = 'Input should be greater than or equal to 1';
    const id = headers['request-id'];
    expect(id).toBe(headers['x-request-id']);
    expect(status).toBe(422);
    expect(json()).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: `body.max_tokens: ${msg}`,
        details: { error_code: 'greater_than_equal', param: 'max_tokens' },
      },
      request_id: id,
      detail: [{ loc: ['body', 'max_tokens'], msg, type: 'greater_than_equal' }],
    });
  });

  it.each([MESSAGES, COUNT])('%s may be asked by scripts of listed sites', async (url) => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key, anthropic-version',
    };
    const { headers } = await gateway.app.inject({ method: 'OPTIONS', url, headers: { origin: SITE, ...asked } });
    expect(headers['access-control-allow-headers']).toBe('x-api-key, anthropic-version');
    expect(headers['access-control-expose-headers']).toContain('request-id');
  });

  it('counts without usage, limits or a call', async () => {
    const usage = () => gateway.sql<{ rid: string }>('SELECT rid FROM usage_records');
    const before = await gateway.caller.post(MESSAGES, HELLO, { headers: { 'x-request-id': 'before' } });
    const count = await gateway.caller.post(COUNT, HELLO, { headers: { 'x-request-id': 'count' } });
    await gateway.caller.post(MESSAGES, HELLO, { headers: { 'x-request-id': 'after' } });
    expect(before.json().id).toBe('msg_before');
    expect(count.json()).toEqual({ input_tokens: 9 });
    expect(count.headers['request-id']).toBe('count');
    expect(count.headers).not.toHaveProperty('hone-call');
    const rids = await until(async () => {
      const found = (await usage()).map(({ rid }) => rid);
      return found.includes('after') && found;
    }, 'the records');
    expect(rids).toContain('before');
    expect(rids).not.toContain('count');
  });

  it('answers whatever versions and betas a client names', async () => {
    const headers = { 'anthropic-version': '2099-01-01', 'anthropic-beta': 'nothing-2099-01-01,other' };
    expect((await gateway.caller.post(`${MESSAGES}?beta=true`, HELLO, { headers })).status).toBe(200);
  });

  it('streams events alone, without a last line of [DONE]', async () => {
    const { text, headers } = await gateway.caller.post(MESSAGES, { ...HELLO, stream: true });
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(text.startsWith('event: message_start\ndata: {"type":"message_start",')).toBe(true);
    expect(text.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true);
  });

  it('refuses in its form while the gateway shuts down', async () => {
    await gateway.app.get(Exchanges).beforeApplicationShutdown();
    for (const path of [MESSAGES, COUNT]) {
      const { status, headers, json } = await gateway.caller.post(path, HELLO);
      expect(status).toBe(503);
      expect(json()).toMatchObject({
        type: 'error',
        error: { type: 'overloaded_error' },
        request_id: headers['request-id'],
      });
    }
  });
});
