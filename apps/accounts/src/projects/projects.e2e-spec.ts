import { startAccounts, type TestAccounts } from '../accounts.fixture.js';

describe('/account/projects', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.close());

  it('makes a project', async () => {
    const wendy = accounts.as(accounts.writer);
    const made = await wendy.post('/account/projects', { entity: 'acme', name: 'Demo 1 é' });
    expect([made.status, made.json()]).toEqual([
      200,
      { project_id: 'acme/Demo 1 é', created_at: expect.stringMatching(/Z$/) },
    ]);
    const again = await wendy.post('/account/projects', { entity: 'acme', name: 'Demo 1 é' });
    expect([again.status, again.json()]).toEqual([
      409,
      { detail: "Project 'acme/Demo 1 é' exists already.", code: 'project.name_taken' },
    ]);
  });

  it('needs the role writer', async () => {
    const annotator = await accounts.user('annie', { roles: { acme: 'annotator' } });
    const tooLow = await accounts.as(annotator).post('/account/projects', { entity: 'acme', name: 'x' });
    expect([tooLow.status, tooLow.json()]).toEqual([
      403,
      { detail: "This needs the role 'writer' on entity 'acme'.", code: 'access.denied' },
    ]);
    const unseen = await accounts.as(annotator).post('/account/projects', { entity: 'local', name: 'x' });
    const none = await accounts.as(annotator).post('/account/projects', { entity: 'none', name: 'x' });
    expect([unseen.status, none.status]).toEqual([403, 403]);
    expect(unseen.text.replaceAll('local', 'none')).toBe(none.text);
    const admins = await accounts.as(accounts.admin).post('/account/projects', { entity: 'none', name: 'x' });
    expect([admins.status, admins.json().code]).toEqual([404, 'entity.not_found']);
  });

  it('lets a bound key make its own project only', async () => {
    const bound = await accounts.user('bound', { roles: { acme: 'writer' }, onlyProject: 'acme/mine' });
    const post = (name: string) => accounts.as(bound).post('/account/projects', { entity: 'acme', name });
    expect([(await post('mine')).status, (await post('other')).status]).toEqual([200, 403]);
    const listed = (await accounts.as(bound).get('/account/projects')).json().data;
    expect(listed).toEqual([{ project_id: 'acme/mine', created_at: expect.any(String) }]);
  });

  it("lists the projects of one's entities", async () => {
    await accounts.as(accounts.admin).post('/account/projects', { entity: 'local', name: 'hidden' });
    const ids = async (who: { key: string }) =>
      (await accounts.as(`Bearer ${who.key}`).get('/account/projects'))
        .json()
        .data.map(({ project_id }: { project_id: string }) => project_id);
    expect(await ids(accounts.writer)).toEqual(['acme/Demo 1 é', 'acme/mine']);
    expect(await ids(accounts.admin)).toEqual(['acme/Demo 1 é', 'acme/mine', 'local/hidden']);
  });

  it.each(['', '.', '..', 'a/b', 'a:b', ' a', 'a\n', 'x'.repeat(129)])('refuses the name %j', async (name) => {
    const response = await accounts.as(accounts.writer).post('/account/projects', { entity: 'acme', name });
    expect([response.status, response.json().detail[0].loc]).toEqual([422, ['body', 'name']]);
  });
});
