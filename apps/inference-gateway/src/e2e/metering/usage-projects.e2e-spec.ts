import { KeyStore, type Principal } from '@hone/auth';
import type { TestUserOptions } from '@hone/testing';

import { ProjectForbiddenError } from '../../metering/projects/usage-projects.errors.js';
import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { startUsageApp, type UsageApp } from './usage-app.fixture.js';

describe('the project of a request', () => {
  let gateway: UsageApp;
  let projects: UsageProjects;
  beforeAll(async () => {
    gateway = await startUsageApp();
    projects = gateway.app.get(UsageProjects);
    await gateway.sql(
      `INSERT INTO projects (id, entity_id, name, created_by)
      SELECT gen_random_uuid(), id, 'demo', $1 FROM entities WHERE name = 'acme'`,
      [gateway.writer.id],
    );
  });
  afterAll(() => gateway.close());

  async function caller(name: string, options: TestUserOptions = {}): Promise<Principal> {
    const { key } = await gateway.user(name, options);
    return (await gateway.app.get(KeyStore).find(key)) as Principal;
  }
  const rowId = async (project: string) =>
    (await gateway.sql<{ id: string }>('SELECT id FROM projects WHERE name = $1', [project]))[0]?.id;

  it('is the one that the header names', async () => {
    const wanda = await caller('wanda', { roles: { acme: 'writer' } });
    expect(await projects.authorize(wanda, 'acme/demo')).toEqual({
      projectId: 'acme/demo',
      rowId: await rowId('demo'),
    });
  });

  it('is the default of the key, created at its first use', async () => {
    const dora = await caller('dora');
    const first = await projects.authorize(dora, undefined);
    expect(first).toEqual({ projectId: 'dora/default', rowId: null });
    const made = await projects.rowIdFor(dora, first);
    const known = { projectId: 'dora/default', rowId: made };
    expect(await projects.authorize(dora, undefined)).toEqual(known);
    expect(await projects.authorize(dora, 'dora/default')).toEqual(known);
    expect(await projects.rowIdFor(dora, known)).toBe(made);
  });

  it('is the one that the key is bound to', async () => {
    const bob = await caller('bob', { roles: { acme: 'writer' }, onlyProject: 'acme/demo' });
    expect((await projects.authorize(bob, undefined)).projectId).toBe('acme/demo');
    await expect(projects.authorize(bob, 'bob/default')).rejects.toThrow(ProjectForbiddenError);
  });

  it('is refused with one message for all cases, and never created', async () => {
    const rita = await caller('rita', { roles: { acme: 'reader' } });
    const walt = await caller('walt', { roles: { acme: 'writer' } });
    const refused: [Principal, string | undefined][] = [
      [rita, 'acme/demo'],
      [rita, 'acme/unknown'],
      [walt, 'acme/unknown'],
      [walt, 'dora/default'],
      [walt, 'nobody/x'],
      [walt, 'malformed'],
      [walt, ''],
      [walt, 'a/b/c'],
    ];
    const errors = await Promise.all(
      refused.map(([who, name]) => projects.authorize(who, name).catch((error) => error)),
    );
    expect(new Set(errors.map(({ message, code, status }) => `${status} ${code} ${message}`)).size).toBe(1);
    expect(errors[0]).toBeInstanceOf(ProjectForbiddenError);
    expect(await rowId('unknown')).toBeUndefined();
  });

  it('is refused when the role in the default project was removed', async () => {
    const lost = await caller('lost');
    await gateway.sql(`UPDATE memberships SET role = 'reader' WHERE user_id = $1`, [lost.userId]);
    const now = await gateway.app.get(KeyStore).reload(lost);
    await expect(projects.authorize(now as Principal, undefined)).rejects.toThrow(ProjectForbiddenError);
  });
});
