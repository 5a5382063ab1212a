import { until } from '@hone/testing';

import { CAT, CHAT, type ContractApp, issuesOf, startContractApp, upstreamsOf } from './contract.fixture.js';

const SITE = 'https://app.example';

describe('settings of the operator', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp({ cors: { origins: [SITE] }, forward_headers: ['X-Tenant'] });
  });
  afterAll(() => gateway.close());

  const cors = (headers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-|vary)/.test(name)));
  const preflight = (url: string, headers: Record<string, string>) =>
    gateway.app.inject({ method: 'OPTIONS', url, headers });

  it('allows browsers of listed origins only', async () => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, x-stainless-os',
    };
    for (const [url, allowed] of [
      [CHAT, 'POST, OPTIONS'],
      [`${CHAT}/`, 'POST, OPTIONS'],
      ['/v1/models', 'GET, HEAD, OPTIONS'],
      ['/v1/models/a/b', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const listed = await preflight(url, { origin: SITE, ...asked });
      expect([listed.statusCode, listed.payload, listed.headers.allow]).toEqual([204, '', allowed]);
      expect(cors(listed.headers)).toEqual({
        'access-control-allow-origin': SITE,
        'access-control-expose-headers': expect.stringContaining('x-request-id'),
        'access-control-allow-methods': allowed,
        'access-control-allow-headers': asked['access-control-request-headers'],
        'access-control-max-age': '600',
        vary: 'origin',
      });
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${SITE}.evil.example` },
        {},
      ]) {
        const other = await preflight(url, { ...headers, ...asked } as Record<string, string>);
        expect([other.statusCode, cors(other.headers)]).toEqual([204, { vary: 'origin' }]);
      }
    }
    expect((await preflight('/v1/nope', { origin: SITE, ...asked })).statusCode).toBe(404);
  });

  it('allows them to read every response: whole, streamed, refused', async () => {
    const allowed = {
      'access-control-allow-origin': SITE,
      'access-control-expose-headers': expect.any(String),
      vary: 'origin',
    };
    const options = { headers: { origin: SITE } };
    const answers = [
      [200, await gateway.ask({}, options)],
      [200, await gateway.ask({ stream: true }, options)],
      [200, await gateway.ask({ model: 'ok', stream: true }, options)],
      [200, await gateway.caller.get('/v1/models', options)],
      [401, await gateway.as(undefined).post(CHAT, CAT, options)],
      [404, await gateway.ask({ model: 'nobody' }, options)],
      [405, await gateway.caller.put(CHAT, CAT, options)],
      [422, await gateway.ask({ n: 0 }, options)],
      [422, await gateway.ask({ use_beam_search: true }, options)],
    ] as const;
    for (const [status, answer] of answers) expect([answer.status, cors(answer.headers)]).toEqual([status, allowed]);
    const other = await gateway.ask({}, { headers: { origin: 'https://evil.example' } });
    expect([other.status, cors(other.headers)]).toEqual([200, { vary: 'origin' }]);
  });

  it('forwards the listed headers', async () => {
    await gateway.ask({ model: 'ok' }, { headers: { 'x-tenant': 'blue', 'x-other': 'red' } });
    const { headers } = gateway.fake.requests.at(-1)!;
    expect([headers['x-tenant'], headers['x-other']]).toEqual(['blue', undefined]);
  });

  it('bounds the priority of a key', async () => {
    expect(issuesOf(await gateway.ask({ priority: -9 }))).toEqual(['body.priority greater_than_equal']);
    const keyOf = async (name: string, attributes: object) => {
      const user = await gateway.user(name);
      await gateway.sql('UPDATE api_keys SET attributes = $1 WHERE id = $2', [JSON.stringify(attributes), user.keyId]);
      return gateway.as(`Bearer ${user.key}`);
    };
    const urgent = await keyOf('urgent', { min_priority: -9 });
    expect((await urgent.post(CHAT, { ...CAT, model: 'ok', priority: -9 })).status).toBe(200);
    expect(gateway.fake.lastJson().priority).toBe(-9);
    expect(issuesOf(await urgent.post(CHAT, { ...CAT, priority: -10 }))).toEqual(['body.priority greater_than_equal']);
    const batch = await keyOf('batch', { min_priority: 5 });
    expect(issuesOf(await batch.post(CHAT, { ...CAT, priority: 4 }))).toEqual(['body.priority greater_than_equal']);
    expect((await batch.post(CHAT, { ...CAT, model: 'ok' })).status).toBe(200);
    expect(gateway.fake.lastJson().priority).toBe(5);
    const strange = await keyOf('strange', { min_priority: 'low', chat_defaults: 3 });
    expect((await strange.post(CHAT, CAT)).status).toBe(200);
  });

  it('accepts a caller’s chat template only on a route that trusts it', async () => {
    const template = '{{ messages[0].content }}';
    const carriers = [
      [{ chat_template: template }, 'body.chat_template'],
      [{ chat_template_kwargs: { chat_template: template } }, 'body.chat_template_kwargs.chat_template'],
    ] as const;
    const targets = [{ upstream: 'fake', model: 'ok' }];
    const routes = [
      { id: 'trusting', trust_chat_template: true, targets },
      { id: 'careful', targets },
      { id: 'own', trust_chat_template: true, targets: [{ upstream: 'local', model: 'hone-tiny' }] },
    ];
    await gateway.configure(upstreamsOf(gateway.fake, { routes, cors: { origins: [SITE] } }));
    await until(async () => (await gateway.ask({ model: 'own' })).status === 200);
    const before = gateway.fake.requests.length;
    for (const [fields, place] of carriers) {
      for (const model of ['careful', 'own'])
        expect(issuesOf(await gateway.ask({ model, ...fields }))).toEqual([`${place} unsupported_parameter`]);
    }
    expect(gateway.fake.requests).toHaveLength(before);
    for (const [fields] of carriers) {
      expect((await gateway.ask({ model: 'trusting', ...fields })).status).toBe(200);
      expect(gateway.fake.lastJson()).toMatchObject(fields);
    }
    const nothing = { chat_template: null, chat_template_kwargs: { chat_template: null } };
    expect((await gateway.ask({ model: 'careful', ...nothing })).status).toBe(200);
  });

  it('name the models that read images where one cannot, as far as the caller may use them', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
    const messages = [{ role: 'user', content }];
    const { upstreams } = upstreamsOf(gateway.fake) as { upstreams: object[] };
    const models = [
      { name: 'ok', capabilities: ['vision'] },
      { name: 'ok+ping', capabilities: ['tools'] },
      { name: 'ok+tool-call' },
    ];
    await gateway.configure({ upstreams: [{ ...upstreams[0], models }] });
    await until(async () => (await gateway.ask({ model: 'ok', messages })).status === 200);
    const said = async (model: string, caller = gateway.caller) => {
      const { status, json } = await caller.post(CHAT, { ...CAT, model, messages });
      return [status, (json() as { detail: { msg: string }[] }).detail.map(({ msg }) => msg)];
    };
    expect(await said('hone-tiny')).toEqual([422, ["This model reads text parts only; 'ok' can read images"]]);
    expect(await said('ok+ping')).toEqual([422, ["The model does not support this parameter; 'ok' can read images"]]);
    expect((await gateway.ask({ model: 'ok+tool-call', messages })).status).toBe(200);
    const { key, keyId } = await gateway.user('held');
    await gateway.sql(`UPDATE api_keys SET attributes = '{"models": ["hone-tiny"]}' WHERE id = $1`, [keyId]);
    expect(await said('hone-tiny', gateway.as(`Bearer ${key}`))).toEqual([422, ['This model reads text parts only']]);
  });

  it('change at run time: limits, origins, project headers', async () => {
    await gateway.ask();
    const changed = {
      limits: { max_n: 2, max_logprobs: -1, max_body_bytes: 2_000 },
      project_headers: ['X-Team'],
      cors: { origins: ['*'] },
    };
    await gateway.configure(upstreamsOf(gateway.fake, changed));
    await until(async () => (await gateway.ask({ n: 3, max_tokens: 1 })).status === 422);
    expect((await gateway.ask({ n: 2, max_tokens: 1 })).status).toBe(200);
    expect((await gateway.ask({ user: 'x'.repeat(500), x: 'x'.repeat(2_000) })).status).toBe(413);
    const whole = await gateway.answer({ logprobs: true, top_logprobs: -1, max_tokens: 1 });
    expect(whole.choices[0]!.logprobs!.content[0]!.top_logprobs).toHaveLength(512);
    expect((await gateway.ask({}, { headers: { 'openai-project': 'nobody/nothing' } })).status).toBe(200);
    expect((await gateway.ask({}, { headers: { 'x-team': 'nobody/nothing' } })).status).toBe(403);
    const { headers } = await gateway.ask({}, { headers: { origin: 'https://any.example' } });
    expect(cors(headers)).toMatchObject({ 'access-control-allow-origin': '*' });
    await gateway.configure({ limits: { max_n: 'many' } });
    await new Promise((done) => setTimeout(done, 1_500));
    expect((await gateway.ask({ n: 3 })).status).toBe(422);
    await gateway.configure(upstreamsOf(gateway.fake));
    await until(async () => (await gateway.ask({ n: 3, max_tokens: 1 })).status === 200);
  });
});
