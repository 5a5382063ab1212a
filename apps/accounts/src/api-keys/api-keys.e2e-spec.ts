import { until } from '@hone/testing';

import { startAccounts, type TestAccounts } from '../accounts.fixture.js';

describe('/account/api-keys', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.close());

  const create = (who: { key: string } | string, body: object) =>
    accounts.as(typeof who === 'string' ? who : `Bearer ${who.key}`).post('/account/api-keys', body);

  describe('POST', () => {
    it('shows the key once and stores only its hash', async () => {
      const made = await create(accounts.writer, { label: 'ci' });
      expect(made.status).toBe(200);
      const { key, ...shown } = made.json();
      expect(key).toMatch(/^hone-[A-Za-z0-9]{40}$/);
      expect(shown).toEqual({
        id: expect.any(String),
        prefix: key.slice(0, 12),
        label: 'ci',
        username: 'wendy',
        scopes: ['trace', 'training', 'inference', 'account'],
        project: null,
        default_project: 'wendy/default',
        chat_defaults: null,
        min_priority: 0,
        models: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      });
      const list = await accounts.as(accounts.writer).get('/account/api-keys');
      expect(list.json().data[0]).toEqual(shown);
      expect(list.text).not.toContain(key);
      const stored = await accounts.sql('SELECT row_to_json(k)::text AS text FROM api_keys k');
      const audited = await accounts.sql('SELECT row_to_json(a)::text AS text FROM audit_log a');
      for (const { text } of [...stored, ...audited]) expect(text).not.toContain(key);
      expect((await accounts.as(`Bearer ${key}`).get('/account/me')).json()).toMatchObject({
        api_key: { id: shown.id },
      });
    });

    it('keeps every option', async () => {
      const body = {
        label: 'all',
        scopes: ['trace', 'account', 'trace'],
        project: 'acme/demo',
        default_project: 'acme/demo',
        expires_at: '2999-01-01T00:00:00+02:00',
        username: 'wendy',
        chat_defaults: 'openai',
        min_priority: 5,
        models: ['gpt-*', 'hone-tiny'],
      };
      expect((await create(accounts.writer, body)).json()).toMatchObject({
        scopes: ['trace', 'account'],
        project: 'acme/demo',
        default_project: 'acme/demo',
        expires_at: '2998-12-31T22:00:00.000Z',
        chat_defaults: 'openai',
        min_priority: 5,
        models: ['gpt-*', 'hone-tiny'],
      });
    });

    it('books to the project that the key is bound to', async () => {
      const made = await create(accounts.writer, { label: 'bound', project: 'acme/demo' });
      expect(made.json()).toMatchObject({ project: 'acme/demo', default_project: 'acme/demo' });
    });

    it('takes null as absent', async () => {
      const nothing = { scopes: null, project: null, default_project: null, expires_at: null, username: null };
      const made = await create(accounts.writer, { label: 'x', ...nothing, chat_defaults: null });
      expect(made.json()).toMatchObject({ username: 'wendy', default_project: 'wendy/default', expires_at: null });
    });

    it('names everything that is wrong', async () => {
      const body = { scopes: ['trace', 'root'], project: 'acme', expires_at: 'soon', chat_defaults: 'x', extra: 1 };
      expect((await create(accounts.writer, body)).json()).toEqual({
        detail: [
          { loc: ['body', 'label'], msg: 'Field required', type: 'missing' },
          {
            loc: ['body', 'scopes', 1],
            msg: "Input should be 'trace', 'training', 'inference' or 'account'",
            type: 'enum',
          },
          {
            loc: ['body', 'project'],
            msg: "String should match '<entity>/<project>'",
            type: 'string_pattern_mismatch',
          },
          {
            loc: ['body', 'expires_at'],
            msg: 'Input should be an ISO 8601 date-time of the years 0001 to 9999',
            type: 'value_error',
          },
          { loc: ['body', 'chat_defaults'], msg: "Input should be 'openai' or 'listed'", type: 'enum' },
          { loc: ['body', 'extra'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
        ],
      });
      const useless = {
        label: 'x',
        scopes: [],
        project: 'a/b',
        default_project: 'a/c',
        expires_at: '2020-01-01T00:00Z',
      };
      const response = await create(accounts.writer, useless);
      expect(response.status).toBe(422);
      expect(response.json().detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type])).toEqual([
        ['scopes', 'value_error'],
        ['default_project', 'value_error'],
        ['expires_at', 'value_error'],
      ]);
    });

    it('makes no key for another user, but for an admin', async () => {
      const denied = await create(accounts.writer, { label: 'x', username: 'admin' });
      expect([denied.status, denied.json()]).toEqual([
        403,
        { detail: 'This needs an administrator.', code: 'access.denied' },
      ]);
      const made = await create(accounts.admin, { label: 'for wendy', username: 'wendy' });
      expect(made.json()).toMatchObject({ username: 'wendy', default_project: 'wendy/default' });
      const unknown = await create(accounts.admin, { label: 'x', username: 'nobody' });
      expect([unknown.status, unknown.json()]).toEqual([
        404,
        { detail: "There is no user 'nobody'.", code: 'user.not_found' },
      ]);
    });

    it.each(['wendy', 'admin'])('makes no key that does more than the calling one (%s)', async (username) => {
      const owner = username === 'admin' ? accounts.admin : accounts.writer;
      const narrow = (
        await create(owner, { label: 'narrow', scopes: ['trace', 'account'], project: 'acme/demo' })
      ).json();
      const wider = await create(narrow, { label: 'x', scopes: ['trace', 'inference'] });
      expect([wider.status, wider.json()]).toEqual([
        403,
        { detail: "This key lacks the scope 'inference'.", code: 'access.denied' },
      ]);
      const elsewhere = await create(narrow, { label: 'x', project: 'acme/other' });
      expect([elsewhere.status, elsewhere.json()]).toEqual([
        403,
        { detail: "This key is bound to project 'acme/demo'.", code: 'access.denied' },
      ]);
      expect((await create(narrow, { label: 'x' })).json()).toMatchObject({
        scopes: ['trace', 'account'],
        project: 'acme/demo',
      });
    });

    it('lets only an admin give requests a priority, and no key that is held back', async () => {
      const denied = await create(accounts.writer, { label: 'x', min_priority: -1 });
      expect([denied.status, denied.json()]).toEqual([
        403,
        { detail: 'This needs an administrator.', code: 'access.denied' },
      ]);
      const urgent = await create(accounts.admin, { label: 'urgent', username: 'wendy', min_priority: -9 });
      expect(urgent.json()).toMatchObject({ min_priority: -9 });
      expect((await create(urgent.json(), { label: 'x' })).json()).toMatchObject({ min_priority: 0 });
      const held = (await create(accounts.admin, { label: 'batch', min_priority: 5 })).json();
      expect((await create(held, { label: 'x' })).json()).toMatchObject({ min_priority: 5 });
      const freed = await create(held, { label: 'x', min_priority: 4 });
      expect([freed.status, freed.json().detail]).toEqual([403, 'This key is held to priority 5 and above.']);
    });

    it('gives no models that the calling key does not have', async () => {
      const held = (await create(accounts.writer, { label: 'held', models: ['gpt-*', 'hone-tiny'] })).json();
      expect((await create(held, { label: 'x' })).json()).toMatchObject({ models: ['gpt-*', 'hone-tiny'] });
      expect((await create(held, { label: 'x', models: ['gpt-4*', 'gpt-5'] })).status).toBe(200);
      for (const model of ['*', 'gpt', 'hone-tiny*', 'claude']) {
        const denied = await create(held, { label: 'x', models: ['hone-tiny', model] });
        expect([denied.status, denied.json().detail]).toEqual([403, `This key may not use the model ${model}.`]);
      }
      for (const models of [[], [''], ['a'.repeat(513)], Array.from({ length: 101 }, () => 'a')]) {
        expect((await create(accounts.writer, { label: 'x', models })).status).toBe(422);
      }
    });

    it('does not keep its answer under an Idempotency-Key', async () => {
      const wendy = accounts.as(accounts.writer);
      const headers = { 'idempotency-key': 'once' };
      const first = await wendy.post('/account/api-keys', { label: 'a' }, { headers });
      const second = await wendy.post('/account/api-keys', { label: 'a' }, { headers });
      expect(second.json().key).not.toBe(first.json().key);
      expect(await accounts.sql('SELECT * FROM idempotency_keys')).toEqual([]);
    });
  });

  describe('GET', () => {
    it("lists one's own, an admin's list everyone's, newest first", async () => {
      const other = await accounts.user('other');
      const own = (await accounts.as(other).get('/account/api-keys')).json().data;
      expect(own.map(({ id }: { id: string }) => id)).toEqual([other.keyId]);
      const all = (await accounts.as(accounts.admin).get('/account/api-keys')).json().data;
      expect(all[0]).toMatchObject({ id: other.keyId, username: 'other' });
      expect(new Set(all.map(({ username }: { username: string }) => username)).size).toBeGreaterThan(2);
    });

    it('tells when a key was last used', async () => {
      const user = await accounts.user('user-of-keys');
      const beforeMs = Date.now();
      await accounts.as(user).get('/account/me');
      // The note of its use does not hold up the request.
      const lastUsedAt = async () => (await accounts.as(user).get('/account/api-keys')).json().data[0].last_used_at;
      expect(Date.parse(await until(lastUsedAt, 'a note of its use'))).toBeGreaterThanOrEqual(beforeMs);
    });
  });

  describe('DELETE', () => {
    it('ends the key at once here, and soon in another process', async () => {
      const second = await startAccounts({ databaseUrl: accounts.url });
      try {
        const made = (await create(accounts.writer, { label: 'leaked' })).json();
        const bearer = `Bearer ${made.key}`;
        for (const one of [accounts, second]) expect((await one.as(bearer).get('/account/me')).status).toBe(200);

        const revoked = await accounts.as(accounts.writer).delete(`/account/api-keys/${made.id}`);
        expect(revoked.json()).toMatchObject({ id: made.id, revoked_at: expect.any(String) });
        expect((await accounts.as(bearer).get('/account/me')).status).toBe(401);
        // Without the notification it would be known for half a minute.
        const isEnded = async () => (await second.as(bearer).get('/account/me')).status === 401;
        await until(isEnded, 'the end of the key', 25_000);
      } finally {
        await second.close();
      }
    });

    it('may be repeated', async () => {
      const { id } = (await create(accounts.writer, { label: 'x' })).json();
      const first = await accounts.as(accounts.writer).delete(`/account/api-keys/${id}`);
      const again = await accounts.as(accounts.writer).delete(`/account/api-keys/${id}`);
      expect(again.status).toBe(200);
      expect(again.json()).toEqual(first.json());
      const audited = `SELECT action FROM audit_log WHERE subject = $1 ORDER BY id`;
      expect(await accounts.sql(audited, [id])).toEqual([{ action: 'api_key.create' }, { action: 'api_key.revoke' }]);
    });

    it("does not find another user's key, unless the caller is an admin", async () => {
      const { keyId } = await accounts.user('victim');
      for (const id of [keyId, '019bc000-0000-7000-8000-0000000000aa']) {
        const response = await accounts.as(accounts.writer).delete(`/account/api-keys/${id}`);
        expect([response.status, response.json()]).toEqual([
          404,
          { detail: `There is no API key '${id}'.`, code: 'api_key.not_found' },
        ]);
      }
      expect((await accounts.as(accounts.admin).delete(`/account/api-keys/${keyId}`)).status).toBe(200);
    });

    it('lets a key end itself', async () => {
      const user = await accounts.user('leaver');
      expect((await accounts.as(user).delete(`/account/api-keys/${user.keyId}`)).status).toBe(200);
      expect((await accounts.as(user).get('/account/me')).status).toBe(401);
    });
  });
});
