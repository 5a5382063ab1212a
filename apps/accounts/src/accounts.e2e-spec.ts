import { openApiDocument } from '@hone/platform';
import { basic, takenControlCharacters, walkRoutes } from '@hone/testing';

import { startAccounts, type TestAccounts } from './accounts.fixture.js';

const CHALLENGE = 'Basic realm="hone", Bearer realm="hone"';
const MISSING = { detail: 'Credentials are missing.', code: 'auth.missing' };
const INVALID = { detail: 'Credentials are not valid.', code: 'auth.invalid' };

/** The parts of an OpenAPI operation that are looked at. */
interface Operation {
  requestBody?: Content;
  responses: Record<string, Content>;
  security?: object[];
}
interface Content {
  content?: Record<string, { schema: { $ref: string } }>;
}

const schemaName = (content: Content | undefined) =>
  content?.content?.['application/json']?.schema.$ref.replace('#/components/schemas/', '') ?? 'none';

/** Take no key. */
const OPEN = ['/account/sessions/redeem', '/account/sessions/status'];

describe('the accounts service', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.close());

  it('guards every route and declares its status', () => {
    const routes = walkRoutes(accounts.app);
    expect(routes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['MeController.read', 'ApiKeysController.create', 'AuditController.list']),
    );
    for (const route of routes.filter(({ isOpen }) => !isOpen)) {
      expect(route).toMatchObject({ guards: ['AnyAuthGuard'], statuses: [200] });
      expect(route.path).toMatch(/^account\//);
    }
    expect(routes.filter(({ isOpen }) => isOpen).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['//healthz', '//readyz', '//metrics']),
    );
  });

  it('refuses a control character in any path parameter', async () => {
    expect(await takenControlCharacters(accounts.app, basic('api', accounts.admin.key))).toEqual([]);
  });

  it('documents every route with its body and its answer', async () => {
    const document = await openApiDocument(accounts.app, {
      name: 'accounts',
      description: 'Test.',
      config: {} as never,
    });
    const schemas = document.components?.schemas ?? {};
    const found: string[] = [];
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item) as [string, Operation][]) {
        found.push(`${method} ${path}`);
        expect(operation.security).toEqual(
          OPEN.includes(path) ? [{}] : expect.arrayContaining([{ basic: [] }, { bearer: [] }]),
        );
        if (schemaName(operation.responses['200']) !== 'EmptyResultDto')
          expect(schemas).toHaveProperty([schemaName(operation.responses['200']), 'properties']);
        if (!operation.requestBody) continue;
        const body = schemaName(operation.requestBody);
        expect(schemas).toHaveProperty([body, 'additionalProperties'], false);
        expect(schemas).toHaveProperty([body, 'examples', 0]);
      }
    }
    expect(found.sort()).toEqual([
      'delete /account/api-keys/{id}',
      'delete /account/entities/{entity}/members/{username}',
      'delete /account/sessions',
      'delete /account/sessions/current',
      'get /account/api-keys',
      'get /account/audit',
      'get /account/entities',
      'get /account/entities/{entity}/members',
      'get /account/me',
      'get /account/projects',
      'get /account/sessions/current',
      'get /account/sessions/status',
      'get /account/users',
      'post /account/api-keys',
      'post /account/entities',
      'post /account/projects',
      'post /account/sessions',
      'post /account/sessions/codes',
      'post /account/sessions/redeem',
      'post /account/users',
      'put /account/entities/{entity}/members/{username}',
    ]);
  });

  it('says that credentials are missing', async () => {
    const response = await accounts.as(undefined).get('/account/me');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe(CHALLENGE);
    expect(response.json()).toEqual(MISSING);
  });

  it.each([
    ['another scheme', 'Digest abc'],
    ['no value', 'Basic'],
    ['not base64', 'Basic %%%'],
    ['no colon', `Basic ${Buffer.from('abc').toString('base64')}`],
    ['an unknown Basic key', basic('api', 'hone_unknown')],
    ['an unknown Bearer key', 'Bearer hone_unknown'],
    ['blanks in the key', 'Bearer a b'],
  ])('refuses %s', async (_what, authorization) => {
    const response = await accounts.as(authorization).get('/account/me');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe(CHALLENGE);
    expect(response.json()).toEqual(INVALID);
  });

  it("takes Bearer, and Basic with the owner's username or `api`", async () => {
    const { key } = accounts.writer;
    for (const authorization of [`Bearer ${key}`, `bearer  ${key}`, basic('api', key), basic('wendy', key)]) {
      expect((await accounts.as(authorization).get('/account/me')).status).toBe(200);
    }
    const asSomeoneElse = await accounts.as(basic('admin', key)).get('/account/me');
    expect([asSomeoneElse.status, asSomeoneElse.json()]).toEqual([401, INVALID]);
  });

  it('refuses an expired key', async () => {
    const late = await accounts.user('late', { expiresAt: new Date(Date.now() - 1_000) });
    expect((await accounts.as(late).get('/account/me')).json()).toEqual(INVALID);
  });

  it('checks credentials before it looks at the body, and the body before the rights', async () => {
    expect((await accounts.as(undefined).post('/account/users', '{')).status).toBe(401);
    expect((await accounts.as(accounts.writer).post('/account/users', '{')).status).toBe(422);
    expect((await accounts.as(accounts.writer).post('/account/users', { username: 'x' })).status).toBe(403);
  });

  it('wants the scope `account`, on every route', async () => {
    const tracer = accounts.as(await accounts.user('tracer', { scopes: ['trace', 'training', 'inference'] }));
    const answers = await Promise.all([
      tracer.get('/account/me'),
      tracer.get('/account/api-keys'),
      tracer.post('/account/api-keys', { label: 'x' }),
      tracer.delete(`/account/api-keys/${accounts.writer.keyId}`),
      tracer.get('/account/users'),
      tracer.post('/account/users', { username: 'x' }),
      tracer.get('/account/entities'),
      tracer.post('/account/entities', { name: 'x' }),
      tracer.get('/account/entities/tracer/members'),
      tracer.put('/account/entities/tracer/members/wendy', { role: 'reader' }),
      tracer.delete('/account/entities/tracer/members/wendy'),
      tracer.get('/account/projects'),
      tracer.post('/account/projects', { entity: 'tracer', name: 'x' }),
      tracer.get('/account/audit'),
    ]);
    for (const answer of answers) {
      expect([answer.status, answer.json()]).toEqual([
        403,
        { detail: "This key lacks the scope 'account'.", code: 'access.denied' },
      ]);
    }
  });

  it('answers 404 and 405 with the error body', async () => {
    const wendy = accounts.as(accounts.writer);
    expect((await wendy.get('/account/nothing')).json()).toEqual({
      detail: 'There is nothing at this path.',
      code: 'route.not_found',
    });
    const wrongMethod = await wendy.delete('/account/me');
    expect([wrongMethod.status, wrongMethod.headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect(wrongMethod.json()).toMatchObject({ code: 'route.method' });
  });

  describe('with hostile text', () => {
    const SQL = `'); DROP TABLE users; --`;

    it('stores it as it is where text is free', async () => {
      const made = await accounts.as(accounts.admin).post('/account/api-keys', { label: SQL });
      expect(made.json()).toMatchObject({ label: SQL });
      const [newest] = (await accounts.as(accounts.admin).get('/account/api-keys')).json().data;
      expect(newest.label).toBe(SQL);
    });

    it.each([
      ['U+0000', 'a\u0000b'],
      ['an unpaired surrogate', 'a\ud800b'],
    ])('refuses %s in a body', async (_what, text) => {
      const answers = [
        await accounts.as(accounts.admin).post('/account/api-keys', { label: text }),
        await accounts.as(accounts.admin).post('/account/users', { username: text }),
        await accounts.as(accounts.admin).post('/account/entities', { name: text }),
        await accounts.as(accounts.admin).post('/account/projects', { entity: 'local', name: text }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(422);
        expect(answer.json().detail).toEqual([
          {
            loc: ['body', expect.any(String)],
            msg: 'String should not contain U+0000 or unpaired surrogates',
            type: 'string_unicode',
          },
        ]);
      }
    });

    it.each([SQL, '%00', '%ED%A0%80', '%', '..', 'x'.repeat(3_000), '\u{1f600}'])(
      'finds nothing at %p',
      async (text) => {
        const admin = accounts.as(accounts.admin);
        const part = text.startsWith('%') ? text : encodeURIComponent(text);
        for (const answer of [
          await admin.delete(`/account/api-keys/${part}`),
          await admin.put(`/account/entities/${part}/members/wendy`, { role: 'reader' }),
          await admin.put(`/account/entities/local/members/${part}`, { role: 'reader' }),
          await admin.delete(`/account/entities/local/members/${part}`),
        ]) {
          expect([404, 405]).toContain(answer.status);
          expect(Object.keys(answer.json())).toEqual(['detail', 'code']);
        }
      },
    );

    it('refuses it in the query', async () => {
      const audit = await accounts.as(accounts.admin).get(`/account/audit?after=%00&limit=${encodeURIComponent(SQL)}`);
      expect([audit.status, audit.json()]).toEqual([
        422,
        {
          detail: [
            { loc: ['query', 'limit'], msg: 'Input should be a valid integer', type: 'int_type' },
            { loc: ['query', 'after'], msg: 'Input should be the id of an audit entry', type: 'value_error' },
          ],
        },
      ]);
    });
  });
});
