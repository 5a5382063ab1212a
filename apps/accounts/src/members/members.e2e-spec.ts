import type { TestUser } from '@hone/testing';

import { startAccounts, type TestAccounts } from '../accounts.fixture.js';

describe('/account/entities/{entity}/members/{username}', () => {
  let accounts: TestAccounts;
  let owner: TestUser;
  let entity: string;
  let count = 0;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  beforeEach(async () => {
    count++;
    entity = `team-${count}`;
    owner = await accounts.user(`owner-${count}`, { roles: { [entity]: 'owner' } });
  });
  afterAll(() => accounts.close());

  const path = (username: string) => `/account/entities/${entity}/members/${username}`;
  const put = (who: TestUser, username: string, role: string) => accounts.as(who).put(path(username), { role });
  const rolesOf = (name: string) =>
    accounts.sql<{ username: string; role: string }>(
      `SELECT username, role FROM memberships m JOIN users u ON u.id = m.user_id JOIN entities e ON e.id = m.entity_id
       WHERE e.name = $1 ORDER BY username`,
      [name],
    );

  it('adds a member, changes their role, removes them', async () => {
    const added = await put(owner, 'wendy', 'annotator');
    expect([added.status, added.json()]).toEqual([200, { entity, username: 'wendy', role: 'annotator' }]);
    expect((await put(owner, 'wendy', 'writer')).json()).toEqual({ entity, username: 'wendy', role: 'writer' });
    const removed = await accounts.as(owner).delete(path('wendy'));
    expect([removed.status, removed.json()]).toEqual([200, { entity, username: 'wendy', role: 'writer' }]);
    expect(await rolesOf(entity)).toEqual([{ username: owner.username, role: 'owner' }]);
    expect(await accounts.sql(`SELECT action, detail FROM audit_log WHERE subject = $1 ORDER BY id`, [entity])).toEqual(
      [
        { action: 'member.put', detail: { username: 'wendy', role: 'annotator', before: null } },
        { action: 'member.put', detail: { username: 'wendy', role: 'writer', before: 'annotator' } },
        { action: 'member.delete', detail: { username: 'wendy', role: 'writer' } },
      ],
    );
  });

  it('lists the members by their names, to members', async () => {
    await put(owner, 'wendy', 'reader');
    const list = (who: TestUser) => accounts.as(who).get(`/account/entities/${entity}/members`);
    const members = [
      { entity, username: owner.username, role: 'owner' },
      { entity, username: 'wendy', role: 'reader' },
    ];
    for (const who of [owner, accounts.writer]) {
      const { status, json } = await list(who);
      expect([status, json()]).toEqual([200, { data: members }]);
    }
    await accounts.as(owner).delete(path('wendy'));
    expect((await list(accounts.writer)).status).toBe(403);
  });

  it('changes what the member may do at once', async () => {
    const project = (name: string) => accounts.as(accounts.writer).post('/account/projects', { entity, name });
    expect((await project('a')).json()).toEqual({
      detail: `You have no access to entity '${entity}'.`,
      code: 'access.denied',
    });
    await put(owner, 'wendy', 'annotator');
    expect((await project('a')).json()).toEqual({
      detail: `This needs the role 'writer' on entity '${entity}'.`,
      code: 'access.denied',
    });
    await put(owner, 'wendy', 'writer');
    expect((await project('a')).status).toBe(200);
    await accounts.as(owner).delete(path('wendy'));
    expect((await project('b')).status).toBe(403);
  });

  it('does not note a change that changes nothing', async () => {
    expect((await put(owner, owner.username, 'owner')).status).toBe(200);
    expect(await accounts.sql(`SELECT * FROM audit_log WHERE subject = $1`, [entity])).toEqual([]);
  });

  it('keeps the last owner', async () => {
    const lastOwner = {
      detail: `'${owner.username}' is the last owner of entity '${entity}'.`,
      code: 'member.last_owner',
    };
    for (const response of [
      await put(owner, owner.username, 'writer'),
      await accounts.as(owner).delete(path(owner.username)),
      await accounts.as(accounts.admin).delete(path(owner.username)),
    ]) {
      expect([response.status, response.json()]).toEqual([409, lastOwner]);
    }
    await put(owner, 'wendy', 'owner');
    expect((await accounts.as(owner).delete(path(owner.username))).status).toBe(200);
    expect(await rolesOf(entity)).toEqual([{ username: 'wendy', role: 'owner' }]);
  });

  it('keeps one owner when all of them leave at once', async () => {
    const owners = [owner];
    for (let i = 0; i < 4; i++) owners.push(await accounts.user(`co-${count}-${i}`, { roles: { [entity]: 'owner' } }));
    const answers = await Promise.all(owners.map((one) => accounts.as(one).delete(path(one.username))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409]);
    expect(await rolesOf(entity)).toHaveLength(1);
  });

  it('does not let two owners remove each other', async () => {
    const other = await accounts.user(`other-${count}`, { roles: { [entity]: 'owner' } });
    const answers = await Promise.all([
      accounts.as(owner).delete(path(other.username)),
      accounts.as(other).delete(path(owner.username)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await rolesOf(entity)).toHaveLength(1);
  });

  it.each(['reader', 'annotator', 'writer'] as const)('is not for a %s', async (role) => {
    const member = await accounts.user(`${role}-${count}`, { roles: { [entity]: role } });
    for (const response of [await put(member, 'wendy', 'reader'), await accounts.as(member).delete(path('wendy'))]) {
      expect([response.status, response.json()]).toEqual([
        403,
        { detail: `This needs the role 'owner' on entity '${entity}'.`, code: 'access.denied' },
      ]);
    }
  });

  it('says the same of an entity that one may not see and of none', async () => {
    const wendy = accounts.as(accounts.writer);
    const unseen = await wendy.put(path('wendy'), { role: 'owner' });
    const none = await wendy.put('/account/entities/none/members/wendy', { role: 'owner' });
    expect([unseen.status, none.status]).toEqual([403, 403]);
    expect(unseen.text.replaceAll(entity, 'none')).toBe(none.text);
  });

  it('names what an admin does not find', async () => {
    const admin = accounts.as(accounts.admin);
    const answers = [
      await admin.put('/account/entities/none/members/wendy', { role: 'reader' }),
      await admin.put(path('nobody'), { role: 'reader' }),
      await admin.delete(path('nobody')),
      await admin.delete(path('wendy')),
    ];
    expect(answers.map((answer) => [answer.status, answer.json()])).toEqual([
      [404, { detail: "There is no entity 'none'.", code: 'entity.not_found' }],
      [404, { detail: "There is no user 'nobody'.", code: 'user.not_found' }],
      [404, { detail: "There is no user 'nobody'.", code: 'user.not_found' }],
      [404, { detail: `'wendy' is no member of entity '${entity}'.`, code: 'member.not_found' }],
    ]);
  });

  it('refuses a role that does not exist', async () => {
    expect((await put(owner, 'wendy', 'god')).json()).toEqual({
      detail: [
        {
          loc: ['body', 'role'],
          msg: "Input should be 'reader', 'annotator', 'writer' or 'owner'",
          type: 'enum',
        },
      ],
    });
  });

  it('refuses a key that is bound to a project', async () => {
    const bound = await accounts.user(`bound-${count}`, { roles: { [entity]: 'owner' }, onlyProject: `${entity}/p` });
    expect((await put(bound, 'wendy', 'owner')).status).toBe(403);
  });
});
