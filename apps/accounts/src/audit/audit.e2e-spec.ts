import { startAccounts, type TestAccounts } from '../accounts.fixture.js';

interface Entry {
  id: string;
  actor: string;
  action: string;
  subject: string;
  project: string | null;
}

describe('GET /account/audit', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
    const admin = accounts.as(accounts.admin);
    await admin.post('/account/users', { username: 'ada' });
    await admin.post('/account/users', { username: 'ada' }); // 409: leaves no entry
    await admin.post('/account/entities', { name: 'lab' });
    await admin.put('/account/entities/lab/members/wendy', { role: 'owner' });
    await accounts.as(accounts.writer).post('/account/projects', { entity: 'lab', name: 'p' });
    await accounts.as(accounts.writer).put('/account/entities/lab/members/ada', { role: 'reader' });
  });
  afterAll(() => accounts.close());

  const read = async (who: { key: string }, query = '') =>
    (await accounts.as(`Bearer ${who.key}`).get(`/account/audit${query}`)).json() as {
      data: Entry[];
      has_more: boolean;
    };

  it('shows an admin every change, newest first', async () => {
    const { data, has_more } = await read(accounts.admin);
    expect(has_more).toBe(false);
    expect(data.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      ['wendy', 'member.put', 'lab'],
      ['wendy', 'project.create', 'lab/p'],
      ['admin', 'member.put', 'lab'],
      ['admin', 'entity.create', 'lab'],
      ['admin', 'user.create', 'ada'],
      ['admin', 'api_key.create', expect.any(String)],
      ['admin', 'member.put', 'local'],
      ['admin', 'entity.create', 'local'],
      ['admin', 'user.create', 'admin'],
    ]);
    expect(data[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      actor: 'wendy',
      action: 'member.put',
      subject: 'lab',
      project: null,
      detail: { username: 'ada', role: 'reader', before: null },
    });
  });

  it('shows others what they did themselves', async () => {
    expect((await read(accounts.writer)).data.map(({ action }) => action)).toEqual(['member.put', 'project.create']);
  });

  it('shows a key that is bound to a project what is about the project', async () => {
    const { key } = (
      await accounts.as(accounts.admin).post('/account/api-keys', { label: 'p', project: 'lab/p' })
    ).json();
    expect((await read({ key })).data.map(({ action, project }) => [action, project])).toEqual([
      ['api_key.create', 'lab/p'],
      ['project.create', 'lab/p'],
    ]);
  });

  it('is filtered by who, what and when', async () => {
    const actions = async (query: string, who: { key: string } = accounts.admin) =>
      (await read(who, `?${query}`)).data.map(({ actor, action }) => `${actor} ${action}`);
    expect(await actions('actor=wendy')).toEqual(['wendy member.put', 'wendy project.create']);
    expect(await actions('action=member.put&actor=admin')).toEqual(['admin member.put', 'admin member.put']);
    expect(await actions('action=project')).toEqual(['wendy project.create']);
    // An area is a whole word.
    expect(await actions('action=proj')).toEqual([]);
    expect(await actions('actor=nobody')).toEqual([]);
    const all = (await read(accounts.admin)).data as unknown as { id: string; at: string }[];
    const middle = all[3]?.at ?? '';
    const idsOf = async (query: string) => (await read(accounts.admin, `?${query}`)).data.map(({ id }) => id);
    const [since, before] = await Promise.all([idsOf(`from=${middle}`), idsOf(`to=${middle}`)]);
    expect(since).toEqual(all.filter(({ at }) => at >= middle).map(({ id }) => id));
    expect(before).toEqual(all.filter(({ at }) => at < middle).map(({ id }) => id));
    expect(await actions('to=2020-01-01T00:00:00Z')).toEqual([]);
    // Nobody sees more than without a filter.
    expect(await actions('actor=admin', accounts.writer)).toEqual([]);
  });

  it('goes on after the last entry seen', async () => {
    const seen: string[] = [];
    for (let after = '', more = true; more;) {
      const page = await read(accounts.admin, `?limit=3${after && `&after=${after}`}`);
      seen.push(...page.data.map(({ id }) => id));
      after = page.data.at(-1)?.id as string;
      more = page.has_more;
    }
    expect(seen).toEqual((await read(accounts.admin)).data.map(({ id }) => id));
  });

  it.each([
    ['limit=0', 'greater_than_equal'],
    ['limit=1001', 'less_than_equal'],
    ['limit=1.5', 'int_type'],
    ['limit=', 'int_type'],
    ['limit=1&limit=2', 'int_type'],
    ['after=x', 'value_error'],
    ['after=', 'value_error'],
    ['actor=', 'string_too_short'],
    ['from=yesterday', 'value_error'],
  ])('refuses ?%s', async (query, type) => {
    const response = await accounts.as(accounts.writer).get(`/account/audit?${query}`);
    expect([response.status, response.json().detail]).toEqual([
      422,
      [{ loc: ['query', query.split('=')[0]], msg: expect.any(String), type }],
    ]);
  });
});
