import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Environment } from '@hone/platform';
import { createTestDatabase, type TestDatabase, until } from '@hone/testing';
import { jest } from '@jest/globals';

import { BOOTSTRAP_KEY, DEFAULT_CONFIG, startAccounts, type TestAccounts } from '../accounts.fixture.js';
import { readAccountsConfig } from '../config/accounts.config.js';

const OTHER_KEY = `other-${BOOTSTRAP_KEY}`;

describe('the bootstrap', () => {
  let database: TestDatabase;
  let folder: string;
  let dataDir: string;
  let started: TestAccounts[];
  let printed: jest.SpiedFunction<typeof console.log>;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'hone-accounts-'));
    dataDir = join(folder, 'data');
    started = [];
    printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    printed.mockRestore();
    await Promise.all(started.map((accounts) => accounts.close()));
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function start(bootstrapApiKey?: string): Promise<TestAccounts> {
    const accounts = await startAccounts(
      { databaseUrl: database.url },
      { ...DEFAULT_CONFIG, bootstrapApiKey, dataDir },
    );
    started.push(accounts);
    return accounts;
  }
  const statusOf = async (accounts: TestAccounts, key: string) =>
    (await accounts.as(`Bearer ${key}`).get('/account/me')).status;
  const keyFile = async () => (await readFile(join(dataDir, 'api-key'), 'utf8')).trim();

  it('makes the admin, their team and the key that the operator chose', async () => {
    const accounts = await start(BOOTSTRAP_KEY);
    const me = (await accounts.as(`Bearer ${BOOTSTRAP_KEY}`).get('/account/me')).json();
    expect(me).toMatchObject({
      user: { username: 'admin', is_admin: true, default_entity: 'local' },
      entities: [{ name: 'local', kind: 'team', role: 'owner' }],
      api_key: {
        label: 'bootstrap',
        scopes: ['trace', 'training', 'inference', 'account'],
        project: null,
        default_project: 'local/default',
        expires_at: null,
      },
    });
    expect(printed).not.toHaveBeenCalled();
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  it('makes a key, keeps it for the owner only and prints it once', async () => {
    const accounts = await start();
    const key = await keyFile();
    expect(key).toMatch(/^hone-[A-Za-z0-9]{40}$/);
    expect((await stat(join(dataDir, 'api-key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['api-key']);
    expect(printed.mock.calls).toEqual([
      [`API key of the user admin (shown once, kept in ${dataDir}/api-key): ${key}`],
    ]);
    expect(await statusOf(accounts, key)).toBe(200);

    expect(await statusOf(await start(), key)).toBe(200);
    expect(printed).toHaveBeenCalledTimes(1);
    expect(await database.sql('SELECT count(*)::int AS n FROM api_keys')).toEqual([{ n: 1 }]);
    expect(await database.sql('SELECT count(*)::int AS n FROM audit_log')).toEqual([{ n: 4 }]);
  });

  it('takes the key of the file to a new database', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'api-key'), `${OTHER_KEY}\n`);
    expect(await statusOf(await start(), OTHER_KEY)).toBe(200);
    expect(printed).not.toHaveBeenCalled();
  });

  it('makes one of everything when several processes start at once', async () => {
    const many = await Promise.all([start(), start(), start()]);
    const key = await keyFile();
    for (const accounts of many) expect(await statusOf(accounts, key)).toBe(200);
    expect(printed).toHaveBeenCalledTimes(1);
    for (const table of ['users', 'entities', 'memberships', 'api_keys']) {
      expect(await database.sql(`SELECT count(*)::int AS n FROM ${table}`)).toEqual([{ n: 1 }]);
    }
  });

  it('revokes the key before when the operator chooses another, in running processes too', async () => {
    const first = await start();
    const fileKey = await keyFile();
    expect(await statusOf(first, fileKey)).toBe(200);
    const second = await start(BOOTSTRAP_KEY);
    expect(await statusOf(second, fileKey)).toBe(401);
    const third = await start(OTHER_KEY);
    expect([await statusOf(third, BOOTSTRAP_KEY), await statusOf(third, OTHER_KEY)]).toEqual([401, 200]);
    // Without the notification it would be known for half a minute.
    await until(async () => (await statusOf(first, fileKey)) === 401, 'a refusal', 25_000);
  });

  it('does not touch keys that only look like its own', async () => {
    const first = await start(BOOTSTRAP_KEY);
    const { key } = (
      await first.as(`Bearer ${BOOTSTRAP_KEY}`).post('/account/api-keys', { label: 'bootstrap' })
    ).json();
    expect(await statusOf(await start(OTHER_KEY), key)).toBe(200);
  });

  it('leaves a revoked key revoked, and the others alone', async () => {
    const first = await start();
    const fileKey = await keyFile();
    const admin = first.as(`Bearer ${fileKey}`);
    const { id } = (await admin.get('/account/me')).json().api_key;
    await admin.delete(`/account/api-keys/${id}`);
    expect(await statusOf(await start(), fileKey)).toBe(401);

    const second = await start(BOOTSTRAP_KEY);
    expect(await statusOf(second, BOOTSTRAP_KEY)).toBe(200);
    const third = await start(fileKey); // revoked: must not cost the operator the key that works
    expect([await statusOf(third, fileKey), await statusOf(third, BOOTSTRAP_KEY)]).toEqual([401, 200]);
  });

  it("refuses another user's key", async () => {
    const { key } = (await start(BOOTSTRAP_KEY)).writer;
    const first = started[0] as TestAccounts;
    await first.as(`Bearer ${BOOTSTRAP_KEY}`).post('/account/users', { username: 'ada' });
    const made = await first.as(`Bearer ${BOOTSTRAP_KEY}`).post('/account/api-keys', { label: 'x', username: 'ada' });
    expect(key).not.toBe(made.json().key);
    await expect(
      startAccounts({ databaseUrl: database.url }, { ...DEFAULT_CONFIG, bootstrapApiKey: made.json().key, dataDir }),
    ).rejects.toThrow('The bootstrap key is the key of another user.');
  });

  it('says what is wrong with the data folder', async () => {
    await writeFile(dataDir, '');
    await expect(
      startAccounts({ databaseUrl: database.url }, { ...DEFAULT_CONFIG, bootstrapApiKey: undefined, dataDir }),
    ).rejects.toThrow(/^HONE_DATA_DIR is wrong: expected a folder that this process may write to\./);
    await rm(dataDir);
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'api-key'), 'short');
    await expect(
      startAccounts({ databaseUrl: database.url }, { ...DEFAULT_CONFIG, bootstrapApiKey: undefined, dataDir }),
    ).rejects.toThrow(`${dataDir}/api-key should hold a key of at least 32 characters. Delete it to get a new one.`);
  });
});

describe('the configuration', () => {
  it('names a wrong HONE_BOOTSTRAP_API_KEY and does not repeat it', () => {
    for (const key of ['short', 'x'.repeat(31), `${'x'.repeat(40)} y`, 'x'.repeat(1_025)]) {
      expect(() => readAccountsConfig(new Environment({ HONE_BOOTSTRAP_API_KEY: key }))).toThrow(
        'HONE_BOOTSTRAP_API_KEY is wrong: expected a key of 32 to 1024 characters without blanks.',
      );
    }
  });

  it('has a folder of its own by default', () => {
    expect(readAccountsConfig(new Environment({}))).toEqual({
      bootstrapApiKey: undefined,
      dataDir: './.hone',
      entityCreators: 'admin',
    });
  });
});
