import { startAccounts, type TestAccounts } from '../accounts.fixture.js';

describe('/account/users', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.close());

  const create = (body: object) => accounts.as(accounts.admin).post('/account/users', body);

  it('makes a user who owns the entity of the same name', async () => {
    const made = await create({ username: 'ada' });
    expect([made.status, made.json()]).toEqual([
      200,
      {
        id: expect.any(String),
        username: 'ada',
        is_admin: false,
        default_entity: 'ada',
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    const key = await accounts.as(accounts.admin).post('/account/api-keys', { label: 'first', username: 'ada' });
    expect(key.json()).toMatchObject({ username: 'ada', default_project: 'ada/default' });
    const me = await accounts.as(`Bearer ${key.json().key}`).get('/account/me');
    expect(me.json()).toEqual({
      user: made.json(),
      entities: [{ name: 'ada', kind: 'user', role: 'owner', created_at: expect.any(String) }],
      api_key: expect.objectContaining({ id: key.json().id, label: 'first' }),
    });
  });

  it('makes an admin', async () => {
    expect((await create({ username: 'root', is_admin: true })).json()).toMatchObject({ is_admin: true });
    const { key } = (
      await accounts.as(accounts.admin).post('/account/api-keys', { label: 'x', username: 'root' })
    ).json();
    expect((await accounts.as(`Bearer ${key}`).get('/account/users')).status).toBe(200);
  });

  it.each(['admin', 'api', 'wendy'])('refuses the taken username %s', async (username) => {
    const response = await create({ username });
    expect([response.status, response.json()]).toEqual([
      409,
      { detail: `The username '${username}' is taken.`, code: 'user.username_taken' },
    ]);
  });

  it('refuses the name of an entity', async () => {
    const response = await create({ username: 'acme' });
    expect([response.status, response.json()]).toEqual([
      409,
      { detail: "The entity name 'acme' is taken.", code: 'entity.name_taken' },
    ]);
  });

  it('leaves nothing behind when the name is taken', async () => {
    await create({ username: 'admin' });
    expect(await accounts.sql(`SELECT * FROM entities WHERE name = 'admin'`)).toEqual([]);
  });

  it('makes one of several users with one name at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ username: 'twin' })));
    const codes = answers.map((answer) => answer.json().code ?? answer.status).sort();
    expect(codes).toEqual([200, ...Array(4).fill('user.username_taken')]);
  });

  it.each([
    [{}, [{ loc: ['body', 'username'], msg: 'Field required', type: 'missing' }]],
    [
      { username: '.x', is_admin: 1 },
      [
        {
          loc: ['body', 'username'],
          msg: "String should match '1 to 128 of A-Z a-z 0-9 _ . -, the first a letter or digit'",
          type: 'string_pattern_mismatch',
        },
        { loc: ['body', 'is_admin'], msg: 'Input should be a valid boolean', type: 'bool_type' },
      ],
    ],
  ])('refuses %j', async (body, detail) => {
    const response = await create(body);
    expect([response.status, response.json()]).toEqual([422, { detail }]);
  });

  it('is for admins only', async () => {
    const wendy = accounts.as(accounts.writer);
    const denied = { detail: 'This needs an administrator.', code: 'access.denied' };
    for (const response of [
      await wendy.get('/account/users'),
      await wendy.post('/account/users', { username: 'mallory' }),
    ]) {
      expect([response.status, response.json()]).toEqual([403, denied]);
    }
  });

  it('refuses a key that is bound to a project, even of an admin', async () => {
    const bound = await accounts.user('bound-admin', { isAdmin: true, onlyProject: 'acme/demo' });
    const response = await accounts.as(bound).post('/account/users', { username: 'mallory' });
    expect([response.status, response.json()]).toEqual([
      403,
      { detail: "This key is bound to project 'acme/demo'.", code: 'access.denied' },
    ]);
  });

  it('lists all users in the order they were made', async () => {
    const names = (await accounts.as(accounts.admin).get('/account/users'))
      .json()
      .data.map(({ username }: { username: string }) => username);
    expect(names.slice(0, 3)).toEqual(['admin', 'wendy', 'ada']);
  });

  it('repeats its answer under an Idempotency-Key', async () => {
    const admin = accounts.as(accounts.admin);
    const headers = { 'idempotency-key': 'user-1' };
    const first = await admin.post('/account/users', { username: 'once' }, { headers });
    const second = await admin.post('/account/users', { username: 'once' }, { headers });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
    const other = await admin.post('/account/users', { username: 'else' }, { headers });
    expect([other.status, other.json().code]).toEqual([409, 'idempotency.key_reused']);
  });
});
