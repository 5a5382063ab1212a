import { DEFAULT_CONFIG, startAccounts, type TestAccounts } from '../accounts.fixture.js';

describe('/account/entities where everyone makes teams', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts({}, { ...DEFAULT_CONFIG, entityCreators: 'anyone' });
  });
  afterAll(() => accounts.close());

  it('makes a team that the caller owns, and that they may use at once', async () => {
    const wendy = accounts.as(accounts.writer);
    const made = await wendy.post('/account/entities', { name: 'lab' });
    expect([made.status, made.json()]).toEqual([
      200,
      { name: 'lab', kind: 'team', role: 'owner', created_at: expect.any(String) },
    ]);
    expect((await wendy.post('/account/projects', { entity: 'lab', name: 'p' })).status).toBe(200);
  });

  it('makes it usable at once under an Idempotency-Key too', async () => {
    const wendy = accounts.as(accounts.writer);
    const headers = { 'idempotency-key': 'lab-2' };
    const first = await wendy.post('/account/entities', { name: 'lab-2' }, { headers });
    expect((await wendy.post('/account/projects', { entity: 'lab-2', name: 'p' })).status).toBe(200);
    expect((await wendy.post('/account/entities', { name: 'lab-2' }, { headers })).text).toBe(first.text);
  });

  it.each(['acme', 'wendy', 'local'])('refuses the taken name %s', async (name) => {
    const response = await accounts.as(accounts.writer).post('/account/entities', { name });
    expect([response.status, response.json()]).toEqual([
      409,
      { detail: `The entity name '${name}' is taken.`, code: 'entity.name_taken' },
    ]);
  });

  it('refuses a body that names no entity', async () => {
    const response = await accounts.as(accounts.writer).post('/account/entities', { name: 'a/b' });
    expect([response.status, response.json().detail[0].type]).toEqual([422, 'string_pattern_mismatch']);
  });

  it("lists the caller's entities with their roles, all of them to an admin", async () => {
    const reader = await accounts.user('reader-of-acme', { roles: { acme: 'reader' } });
    const own = (await accounts.as(reader).get('/account/entities')).json().data;
    expect(own).toEqual([
      { name: 'acme', kind: 'team', role: 'reader', created_at: expect.any(String) },
      { name: 'reader-of-acme', kind: 'user', role: 'owner', created_at: expect.any(String) },
    ]);
    const all = (await accounts.as(accounts.admin).get('/account/entities')).json().data;
    expect(all).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'wendy', role: 'owner' })]));
  });

  it('refuses a key that is bound to a project', async () => {
    const bound = await accounts.user('bound', { onlyProject: 'acme/demo' });
    const response = await accounts.as(bound).post('/account/entities', { name: 'other' });
    expect([response.status, response.json().code]).toEqual([403, 'access.denied']);
  });
});

describe('POST /account/entities by default', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.close());

  it('is for administrators', async () => {
    expect((await accounts.as(accounts.admin).post('/account/entities', { name: 'lab' })).status).toBe(200);
  });

  it('refuses other users, however many teams they own', async () => {
    const response = await accounts.as(accounts.writer).post('/account/entities', { name: 'lab-2' });
    expect(response.status).toBe(403);
    expect(response.json()).toEqual({ detail: 'This needs an administrator.', code: 'access.denied' });
    expect(await accounts.db.client.entity.count({ where: { name: 'lab-2' } })).toBe(0);
  });
});
