import { startTestApp, type TestApp } from '@hone/testing';

import { WhoModule } from './auth.fixture.js';

describe('access to a project', () => {
  let who: TestApp;
  beforeAll(async () => {
    who = await startTestApp(WhoModule);
    await who.as(who.writer).post('/projects/acme/known');
  });
  afterAll(() => who.close());

  const NO_ACCESS = `{"detail":"You have no access to entity 'acme'.","code":"access.denied"}`;

  it('is made by the first write of a writer', async () => {
    const wendy = who.as(who.writer);
    expect((await wendy.get('/projects/acme/new')).json()).toEqual({ exists: false });
    const { id } = (await wendy.post('/projects/acme/new')).json();
    expect((await wendy.post('/projects/acme/new')).json()).toEqual({ id });
    expect((await wendy.get('/projects/acme/new')).json()).toEqual({ exists: true });
  });

  it('is made once by first writes at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => who.as(who.writer).post('/projects/acme/race')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('says the same to an outsider, byte for byte, whether or not the project exists', async () => {
    const outsider = who.as(await who.user('outsider'));
    for (const project of ['known', 'unknown']) {
      for (const method of ['get', 'post'] as const) {
        const response = await outsider[method](`/projects/acme/${project}`);
        expect([response.status, response.text]).toEqual([403, NO_ACCESS]);
      }
    }
    const noEntity = await outsider.get('/projects/none/unknown');
    expect([noEntity.status, noEntity.text]).toEqual([403, NO_ACCESS.replace('acme', 'none')]);
  });

  it.each([
    ['bound to another project', { onlyProject: 'acme/other' }],
    ['without the scope', { scopes: ['training' as const, 'inference' as const, 'account' as const] }],
  ])('refuses a key %s', async (what, options) => {
    const user = await who.user(what.replaceAll(' ', '-'), { roles: { acme: 'owner' }, ...options });
    for (const project of ['known', 'unknown']) {
      const response = await who.as(user).get(`/projects/acme/${project}`);
      expect([response.status, response.text]).toEqual([403, NO_ACCESS]);
    }
  });

  it('opens the one project that a key is bound to', async () => {
    const bound = await who.user('bound', { roles: { acme: 'reader' }, onlyProject: 'acme/known' });
    expect((await who.as(bound).get('/projects/acme/known')).json()).toEqual({ exists: true });
  });

  it('names the role that is missing', async () => {
    const reader = await who.user('reader', { roles: { acme: 'reader' } });
    const tooLow = await who.as(reader).post('/projects/acme/known');
    expect([tooLow.status, tooLow.json()]).toEqual([
      403,
      { detail: "This needs the role 'annotator' on entity 'acme'.", code: 'access.denied' },
    ]);
    const annotator = await who.user('annotator', { roles: { acme: 'annotator' } });
    expect((await who.as(annotator).post('/projects/acme/known')).status).toBe(200);
    const makes = await who.as(annotator).post('/projects/acme/fresh');
    expect([makes.status, makes.json().detail]).toEqual([403, "This needs the role 'writer' on entity 'acme'."]);
  });

  it('gives an admin every role, also on an entity that does not exist yet', async () => {
    const admin = who.as(await who.user('root', { isAdmin: true }));
    expect((await admin.get('/projects/brand-new/p')).json()).toEqual({ exists: false });
    expect((await admin.post('/projects/brand-new/p')).status).toBe(200);
    expect(await who.sql(`SELECT kind FROM entities WHERE name = 'brand-new'`)).toEqual([{ kind: 'team' }]);
  });

  it('knows a role that another process granted a moment ago', async () => {
    const newcomer = await who.user('newcomer');
    expect((await who.as(newcomer).get('/projects/acme/known')).status).toBe(403);
    await who.sql(
      `INSERT INTO memberships (entity_id, user_id, role) SELECT id, $1, 'annotator' FROM entities WHERE name = 'acme'`,
      [newcomer.id],
    ); // the notification is still on its way
    expect((await who.as(newcomer).get('/projects/acme/known')).status).toBe(200);
    expect((await who.as(newcomer).post('/projects/acme/known')).status).toBe(200);
  });
});
