import { until } from '@hone/testing';

import { connectedClient } from '../connected-client.fixture.js';
import { CHAT, type ContractApp, said, startContractApp, upstreamsOf } from './contract.fixture.js';

describe('the list of models', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  const list = async () => (await gateway.caller.get('/v1/models')).json() as { object: string; data: Entry[] };
  interface Entry {
    id: string;
    object: string;
    created: number;
    owned_by: string;
    root: string;
  }

  it('has five fields per model, none of them null, and is stable', async () => {
    const listed = await list();
    expect(listed).toEqual({
      object: 'list',
      data: ['hone-tiny', 'ok', 'ok+hostile', 'ok+tool-call'].map((id) => ({
        id,
        object: 'model',
        created: expect.any(Number),
        owned_by: id === 'hone-tiny' ? 'hone' : 'fake',
        root: id,
      })),
    });
    expect(await list()).toEqual(listed);
    expect((await gateway.caller.get('/v1/models/')).json()).toEqual(listed);
  });

  it('has models that can be read and used', async () => {
    for (const entry of (await list()).data) {
      for (const id of [entry.id, encodeURIComponent(entry.id)]) {
        const { status, json } = await gateway.caller.get(`/v1/models/${id}`);
        expect([status, json()]).toEqual([200, entry]);
      }
      const answer = await gateway.answer({ model: entry.id, max_tokens: 4 });
      expect(answer.model).toBe(entry.id);
    }
  });

  it('is, with a key for some models alone, of these, and others are as if they were not there', async () => {
    const { keyId, key } = await gateway.user('held', { roles: { acme: 'writer' } });
    const attributes = JSON.stringify({ models: ['ok+*', 'hone-tiny'] });
    await gateway.sql(`UPDATE api_keys SET attributes = '${attributes}' WHERE id = '${keyId}'`);
    const held = connectedClient(gateway.app, `Bearer ${key}`);
    const { data } = (await held.get('/v1/models')).json() as { data: Entry[] };
    expect(data.map(({ id }) => id)).toEqual(['hone-tiny', 'ok+hostile', 'ok+tool-call']);
    const ask = async (model: string) => (await held.post(CHAT, { model, messages: said('x'), max_tokens: 4 })).status;
    expect(await Promise.all(['hone-tiny', 'ok+hostile', 'ok', 'nobody'].map(ask))).toEqual([200, 200, 404, 404]);
    expect((await held.get('/v1/models/ok')).status).toBe(404);
  });

  it('has no body for HEAD, and ignores the content type', async () => {
    const headers = { authorization: `Bearer ${gateway.writer.key}`, 'content-type': 'application/xml' };
    for (const url of ['/v1/models', '/v1/models/hone-tiny']) {
      const head = await gateway.app.inject({ method: 'HEAD', url, headers });
      const get = await gateway.app.inject({ method: 'GET', url, headers });
      expect([head.statusCode, head.payload, get.statusCode]).toEqual([200, '', 200]);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect(get.headers['cache-control']).toBe('no-store');
    }
  });

  it.each([
    'nobody',
    'ok/../hone-tiny',
    'hone-artifact:///../../etc/passwd',
    'hone-artifact:///acme/demo/agent%2fx',
    'hone-artifact:///acme/demo/agent:step1',
    'hone-artifact:///a\'b/c/d"e',
    '__proto__',
    'constructor',
    'hone-artifact:///' + 'a/'.repeat(3_000),
  ])('are no others: %#', async (model) => {
    const answer = await gateway.ask({ model });
    expect([404, 422]).toContain(answer.status);
    if (answer.status === 404) {
      expect(answer.json().error).toMatchObject({
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      });
    }
    expect(Buffer.byteLength(answer.text)).toBeLessThan(2_048);
    const read = await gateway.caller.get(`/v1/models/${encodeURIComponent(model)}`);
    expect(read.status).toBe(404);
    expect(read.json().error.code).toBe('model_not_found');
    expect(gateway.fake.requests.filter((request) => request.model === model)).toEqual([]);
  });

  it.each(['%zz', '%ff', 'x'.repeat(12_000)])('refuses a malformed path (%#)', async (id) => {
    const { status, json } = await gateway.caller.get(`/v1/models/${id}`);
    const { detail, error } = json();
    expect([status, typeof detail, error.type, error.message]).toEqual([
      404,
      'string',
      'invalid_request_error',
      detail,
    ]);
  });

  it.each(['%01', 'a%13b', '%7F', '%C2%9F', 'hone-artifact:%2F%2F%2Facme%2Fp%13%2Fagent'])(
    'refuses a control character in a name (%s)',
    async (id) => {
      const { status, json } = await gateway.caller.get(`/v1/models/${id}`);
      const msg = "String should match 'text without control characters'";
      expect([status, json()]).toEqual([
        422,
        {
          detail: [{ loc: ['path', 'id'], msg, type: 'string_pattern_mismatch' }],
          error: {
            message: `path.id: ${msg}`,
            type: 'invalid_request_error',
            param: 'id',
            code: 'string_pattern_mismatch',
          },
        },
      ]);
    },
  );

  it('includes aliases with their targets', async () => {
    const named = upstreamsOf(gateway.fake, {
      routes: [
        { id: 'team/chat:1', aliases: ['gpt-4o-mini'], targets: [{ upstream: 'fake', model: 'ok' }] },
        { id: 'own', targets: [{ upstream: 'local', model: 'hone-tiny' }] },
      ],
    });
    await gateway.configure(named);
    await until(async () => (await list()).data.some(({ id }) => id === 'own'), 'the new list');
    expect((await list()).data.map(({ id, owned_by, root }) => [id, owned_by, root])).toEqual([
      ['team/chat:1', 'fake', 'ok'],
      ['gpt-4o-mini', 'fake', 'team/chat:1'],
      ['own', 'hone', 'hone-tiny'],
      ['hone-tiny', 'hone', 'hone-tiny'],
    ]);
    for (const path of ['team/chat:1', 'team%2Fchat%3A1']) {
      expect((await gateway.caller.get(`/v1/models/${path}`)).json().id).toBe('team/chat:1');
    }
    const { status, headers, json } = await gateway.caller.post(CHAT, { model: 'gpt-4o-mini', messages: said('x') });
    expect([status, headers['hone-target'], json().model]).toEqual([200, 'fake/ok', 'ok']);
    await gateway.configure(upstreamsOf(gateway.fake));
  });
});
