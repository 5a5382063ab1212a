import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { toChunks } from '../../targets/embedded/embedded.fixture.js';
import { CAT, CHAT, type ContractApp, issuesOf, said, startContractApp } from './contract.fixture.js';

describe('the transport of a chat completion', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  /** An answer without the members that differ between requests. */
  const anonymous = (text: string) => text.replace(/"id":"[^"]*"|"created":\d+/g, '');

  it('handles both forms of the path, without a redirect', async () => {
    for (const stream of [false, true]) {
      const body = { ...CAT, messages: said('hello'), seed: 7, temperature: 2, max_tokens: 12, stream };
      const [plain, slashed] = [await gateway.caller.post(CHAT, body), await gateway.caller.post(`${CHAT}/`, body)];
      expect([plain.status, slashed.status]).toEqual([200, 200]);
      expect(anonymous(slashed.text)).toBe(anonymous(plain.text));
    }
  });

  it('takes the id from the header, else from the body, else creates one', async () => {
    const headers = { 'x-request-id': '!header~' };
    const both = await gateway.ask({ request_id: 'body' }, { headers });
    expect([both.headers['x-request-id'], both.json().id]).toEqual(['!header~', 'chatcmpl-!header~']);
    const body = await gateway.ask({ request_id: 'body' });
    expect([body.headers['x-request-id'], body.json().id]).toEqual(['body', 'chatcmpl-body']);
    const ids = [await gateway.ask(), await gateway.ask()].map((made) => made.json().id as string);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^chatcmpl-[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const streamed = await gateway.ask({ stream: true, request_id: 'body' });
    expect(streamed.headers['x-request-id']).toBe('body');
    expect(toChunks(streamed.text).every((chunk) => (chunk as unknown as { id: string }).id === 'chatcmpl-body')).toBe(
      true,
    );
  });

  it('forwards the id to the upstream, and never the key', async () => {
    await gateway.ask(
      { model: 'ok' },
      { headers: { 'x-request-id': 'abc', traceparent: '00-ab-cd-01', cookie: 'c=1' } },
    );
    const { headers } = gateway.fake.requests.at(-1)!;
    expect(headers).toMatchObject({ 'x-request-id': 'abc', traceparent: '00-ab-cd-01' });
    expect(JSON.stringify(headers)).not.toContain(gateway.writer.key);
    expect(headers).not.toHaveProperty('cookie');
  });

  it.each(['a b', 'a"b', 'a\\b', 'é', 'x'.repeat(129), 'x'.repeat(10_000), ''])(
    'ignores an id that is none (%#)',
    async (id) => {
      const { status, headers, json } = await gateway.ask({ request_id: 'body' }, { headers: { 'x-request-id': id } });
      expect([status, headers['x-request-id'], json().id]).toEqual([200, 'body', 'chatcmpl-body']);
    },
  );

  it.each<[string, string | undefined]>([
    ['no key', undefined],
    ['an empty key', 'Bearer '],
    ['an unknown key', 'Bearer hone_0123456789'],
    ['a key that is too long', `Bearer ${'x'.repeat(513)}`],
    ['Basic', `Basic ${Buffer.from('api:key').toString('base64')}`],
    ['another scheme', 'Digest x'],
  ])('answers 401 to %s, whatever else is wrong', async (_, authorization) => {
    const caller = gateway.as(authorization);
    const answers = [
      await caller.post(CHAT, '{'),
      await caller.post(CHAT, 'x', { headers: { 'content-type': 'text/plain' } }),
      await caller.get('/v1/models'),
      await caller.get('/v1/models/hone-tiny'),
    ];
    for (const { status, headers, json } of answers) {
      expect([status, headers['www-authenticate'], headers['x-should-retry']]).toEqual([
        401,
        'Bearer realm="hone"',
        'false',
      ]);
      expect(json()).toEqual({
        detail: 'Authentication failed',
        error: { message: 'Authentication failed', type: 'authentication_error', param: null, code: 'invalid_api_key' },
      });
    }
  });

  it('accepts the scheme in any case', async () => {
    expect((await gateway.as(`bEARER ${gateway.writer.key}`).post(CHAT, CAT)).status).toBe(200);
  });

  it('answers 403 for a key without the scope, before it reads the body', async () => {
    const { key } = await gateway.user('tracer', { scopes: ['trace'] });
    const { status, headers, json } = await gateway.as(`Bearer ${key}`).post(CHAT, '{');
    expect([status, headers['x-should-retry'], json().error.code]).toEqual([403, 'false', 'scope_missing']);
  });

  it('takes the cookie of a session from our own pages only', async () => {
    const token = 'session-of-a-browser'.padEnd(43, '-');
    await gateway.sql(
      "INSERT INTO sessions VALUES (gen_random_uuid(), sha256($1), $2, now(), now() + interval '1 hour')",
      [Buffer.from(token), gateway.writer.keyId],
    );
    const cookie = `a=b; hone_session=${token}`;
    const ask = (headers: Record<string, string>) => gateway.as(undefined).post(CHAT, CAT, { headers });
    expect((await ask({ cookie, 'x-hone-console': '1' })).status).toBe(200);
    const forged = await ask({ cookie });
    expect([forged.status, forged.json().error.code]).toEqual([403, 'console_header_missing']);
    expect((await gateway.as(undefined).get('/v1/models', { headers: { cookie } })).status).toBe(200);
    const wrong = { cookie: cookie.replace('browser', 'nobody-'), 'x-hone-console': '1' };
    expect((await ask(wrong)).status).toBe(401);
  });

  it.each(['nobody/nothing', 'acme', '', 'acme/nothing', '../..'])(
    'answers 403 for the project %j, before it looks at the body',
    async (project) => {
      for (const header of ['hone-project', 'openai-project']) {
        const options = { headers: { [header]: project } };
        for (const answer of [
          await gateway.caller.post(CHAT, '{', options),
          await gateway.caller.get('/v1/models', options),
        ]) {
          expect([answer.status, answer.headers['x-should-retry'], answer.json().error.code]).toEqual([
            403,
            'false',
            'project_forbidden',
          ]);
        }
      }
    },
  );

  it('accepts a project of the caller, and lists the same models', async () => {
    await gateway.ask();
    const options = { headers: { 'OpenAI-Project': 'wendy/default' } };
    expect((await gateway.ask({}, options)).status).toBe(200);
    const [all, mine] = [await gateway.caller.get('/v1/models'), await gateway.caller.get('/v1/models', options)];
    expect(mine.text).toBe(all.text);
  });

  it.each<[string, (body: string) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ])('reads a body in %s', async (coding, encode) => {
    const body = encode(JSON.stringify({ ...CAT, temperature: 1 }));
    const { status } = await gateway.caller.post(CHAT, body, { headers: { 'content-encoding': coding } });
    expect(status).toBe(200);
  });

  it.each(['zstd', 'gzip, gzip', 'constructor', '__proto__', 'toString'])(
    'answers 415 to the coding %s',
    async (coding) => {
      const { status, json } = await gateway.caller.post(CHAT, 'x', { headers: { 'content-encoding': coding } });
      expect([status, json().error.code]).toEqual([415, 'unsupported_encoding']);
    },
  );

  it('refuses a body that does not inflate', async () => {
    const whole = gzipSync(JSON.stringify(CAT));
    for (const body of [Buffer.from('no gzip'), whole.subarray(0, -12)]) {
      const answer = await gateway.caller.post(CHAT, body, { headers: { 'content-encoding': 'gzip' } });
      expect(issuesOf(answer)).toEqual(['body.0 json_invalid']);
    }
  });

  it.each([
    'application/json',
    'application/vnd.x+json; charset="utf-8"',
    'text/json;charset= UTF8',
    'APPLICATION/JSON',
  ])('takes the content type %s', async (type) => {
    expect((await gateway.ask({}, { headers: { 'content-type': type } })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'json',
    '',
    'a/json5',
  ])('refuses the content type %j', async (type) => {
    expect(issuesOf(await gateway.ask({}, { headers: { 'content-type': type } }))).toEqual(['body value_error']);
  });

  it('answers other methods and paths in both error formats', async () => {
    const wrong = [
      await gateway.caller.put(CHAT, CAT),
      await gateway.caller.get(CHAT),
      await gateway.caller.delete(CHAT),
    ];
    for (const { status, headers, json } of wrong) {
      expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
      expect(json()).toEqual({
        detail: 'This path has no such method.',
        error: {
          message: 'This path has no such method.',
          type: 'invalid_request_error',
          param: null,
          code: 'method_not_allowed',
        },
      });
    }
    expect((await gateway.caller.post('/v1/models', {})).headers.allow).toBe('GET, HEAD, OPTIONS');
    for (const answer of [
      await gateway.caller.post('/v1/usage', {}),
      await gateway.caller.delete('/v1/usage/'),
      await gateway.caller.put('/v1/gateway', {}),
    ])
      expect([answer.status, answer.headers.allow, answer.json().error.code]).toEqual([
        405,
        'GET, HEAD',
        'method_not_allowed',
      ]);
    for (const path of ['/v1/nope', '/v1', '/v1/chat', '/v1/load_lora_adapter', '/v1/images/variations']) {
      const { status, json } = await gateway.caller.post(path, CAT);
      expect([status, json().detail]).toEqual([404, 'There is nothing at this path.']);
    }
    expect((await gateway.caller.post('/v1/nope', CAT)).json().error.code).toBe('not_found');
    expect(gateway.fake.requests.filter(({ model }) => model === CAT.model)).toEqual([]);
  });
});
