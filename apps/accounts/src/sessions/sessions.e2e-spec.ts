import { type TestResponse, until } from '@hone/testing';

import { startAccounts, type TestAccounts } from '../accounts.fixture.js';

const CONSOLE = { 'x-hone-console': '1' };
const INVALID_CODE = { code: 'session.code_invalid' };

describe('sessions', () => {
  let accounts: TestAccounts;
  beforeAll(async () => {
    accounts = await startAccounts();
  });
  afterAll(() => accounts.close());

  const cookieOf = ({ headers }: TestResponse) => String(headers['set-cookie']);
  const withCookie = (answer: TestResponse) => ({ cookie: cookieOf(answer).split(';')[0] as string, ...CONSOLE });
  const nobody = () => accounts.as(undefined);
  /** Signs a new user in. */
  async function signIn(username: string) {
    const user = await accounts.user(username);
    const answer = await accounts.as(user).post('/account/sessions');
    expect(answer.status).toBe(200);
    return { user, answer, headers: withCookie(answer) };
  }
  const statusOf = async (headers: Record<string, string>) =>
    (await nobody().get('/account/sessions/current', { headers })).status;

  it('act for their key, and keep their token from scripts and other sites', async () => {
    const { answer, headers } = await signIn('anna');
    expect(cookieOf(answer)).toMatch(/^hone_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    const session = await nobody().get('/account/sessions/current', { headers });
    expect(session.json()).toMatchObject({ username: 'anna', is_admin: false, project: null });
    expect((await nobody().get('/account/me', { headers })).json()).toMatchObject({ user: { username: 'anna' } });
  });

  it('are told from none without an error', async () => {
    const status = async (headers: Record<string, string>) => {
      const answer = await nobody().get('/account/sessions/status', { headers });
      expect(answer.status).toBe(200);
      return answer.json().session;
    };
    const { headers } = await signIn('stan');
    expect(await status(headers)).toEqual((await nobody().get('/account/sessions/current', { headers })).json());
    expect(await status({})).toBeNull();
    expect(await status({ cookie: `hone_session=${'x'.repeat(43)}` })).toBeNull();
    await nobody().delete('/account/sessions/current', undefined, { headers });
    expect(await status(headers)).toBeNull();
  });

  it('show the roles of their user, also to keys that do not open accounts', async () => {
    const user = await accounts.user('ria');
    const owner = accounts.as(accounts.admin);
    const made = await owner.post('/account/api-keys', { username: 'ria', label: 'x', scopes: ['trace'] });
    const { key } = made.json() as { key: string };
    const headers = withCookie(await accounts.as({ ...user, key }).post('/account/sessions'));
    const rolesNow = async () => (await nobody().get('/account/sessions/current', { headers })).json().roles;
    expect(await rolesNow()).toEqual([{ entity: 'ria', role: 'owner' }]);
    expect((await owner.post('/account/entities', { name: 'crew' })).status).toBe(200);
    expect((await owner.put('/account/entities/crew/members/ria', { role: 'reader' })).status).toBe(200);
    await until(async () => (await rolesNow()).length === 2, 'the new role');
    expect(await rolesNow()).toContainEqual({ entity: 'crew', role: 'reader' });
  });

  it('are kept from connections without TLS where there is TLS', async () => {
    const { user } = await signIn('tess');
    const answer = await accounts.as(user).post('/account/sessions', undefined, {
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' },
    });
    // What the test sends comes from 127.0.0.1, which is a trusted proxy.
    expect(cookieOf(answer)).toMatch(/; Secure$/);
  });

  it('change nothing for a request that another site could send', async () => {
    const { headers } = await signIn('ben');
    const { cookie } = headers;
    const forged = await nobody().post('/account/api-keys', { label: 'x' }, { headers: { cookie } });
    expect([forged.status, forged.json().code]).toEqual([403, 'session.header_missing']);
    expect((await nobody().post('/account/api-keys', { label: 'x' }, { headers })).status).toBe(200);
    expect((await nobody().get('/account/api-keys', { headers: { cookie } })).status).toBe(200);
  });

  it('are useless after sign-out, here and everywhere', async () => {
    const { user, headers } = await signIn('cleo');
    const other = withCookie(await accounts.as(user).post('/account/sessions'));
    const third = withCookie(await accounts.as(user).post('/account/sessions'));
    const ended = await nobody().delete('/account/sessions/current', undefined, { headers });
    expect([ended.status, cookieOf(ended)]).toEqual([200, expect.stringMatching(/^hone_session=; .*Max-Age=0/)]);
    expect([await statusOf(headers), await statusOf(other), await statusOf(third)]).toEqual([401, 200, 200]);
    await nobody().delete('/account/sessions', undefined, { headers: other });
    expect([await statusOf(other), await statusOf(third)]).toEqual([401, 401]);
    const audit = await accounts.as(accounts.admin).get('/account/audit?limit=3');
    expect(audit.json().data.map(({ action }: { action: string }) => action)).toEqual([
      'session.end_all',
      'session.end',
      'session.open',
    ]);
  });

  it('are useless once their key is revoked, or their twelve hours are over', async () => {
    const revoked = await signIn('dora');
    await accounts.as(revoked.user).delete(`/account/api-keys/${revoked.user.keyId}`);
    const late = await signIn('emil');
    await accounts.sql("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE key_id = $1", [
      late.user.keyId,
    ]);
    expect([await statusOf(revoked.headers), await statusOf(late.headers)]).toEqual([401, 401]);
  });

  it('last for as long as they are used', async () => {
    const { user, headers } = await signIn('finn');
    await accounts.sql("UPDATE sessions SET expires_at = now() + interval '1 hour' WHERE key_id = $1", [user.keyId]);
    expect(await statusOf(headers)).toBe(200);
    await until(async () => {
      const extended = "SELECT 1 FROM sessions WHERE key_id = $1 AND expires_at > now() + interval '11 hours'";
      return (await accounts.sql(extended, [user.keyId])).length > 0;
    }, 'a later end');
  });

  it('ask a page for nothing that would open the browser’s own password window', async () => {
    const answer = await nobody().get('/account/me', { headers: CONSOLE });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Session realm="hone"']);
  });

  describe('by a code', () => {
    const makeCode = async (username: string) => {
      const user = await accounts.user(username);
      return { user, code: (await accounts.as(user).post('/account/sessions/codes')).json().code as string };
    };
    const redeem = (code: string) => nobody().post('/account/sessions/redeem', { code });

    it('open once, however many redeem it at once', async () => {
      const { code } = await makeCode('gwen');
      const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(code)));
      const opened = answers.filter(({ status }) => status === 200);
      expect([opened.length, answers.filter(({ status }) => status === 401).length]).toEqual([1, 9]);
      expect(await statusOf(withCookie(opened[0] as TestResponse))).toBe(200);
      expect((await redeem(code)).json()).toMatchObject(INVALID_CODE);
    });

    it('do not open after a minute, or once their key is revoked', async () => {
      const late = await makeCode('hugo');
      await accounts.sql("UPDATE sign_in_codes SET expires_at = now() - interval '1 ms' WHERE key_id = $1", [
        late.user.keyId,
      ]);
      const revoked = await makeCode('ines');
      await accounts.as(revoked.user).delete(`/account/api-keys/${revoked.user.keyId}`);
      expect((await redeem(late.code)).json()).toMatchObject(INVALID_CODE);
      expect((await redeem(revoked.code)).json()).toMatchObject(INVALID_CODE);
    });

    it('are braked when they are guessed', async () => {
      const statuses = new Set<number>();
      for (let attempt = 0; attempt < 200 && !statuses.has(429); attempt++)
        statuses.add((await redeem(`guess-${attempt}`)).status);
      expect([...statuses]).toEqual([401, 429]);
    });
  });

  it('and codes are stored as hashes alone', async () => {
    const { user, answer } = await signIn('jan');
    const { code } = (await accounts.as(user).post('/account/sessions/codes')).json();
    const token = /=([\w-]{43})/.exec(cookieOf(answer))?.[1] as string;
    const dump = JSON.stringify([
      await accounts.sql('SELECT * FROM sessions'),
      await accounts.sql('SELECT * FROM sign_in_codes'),
      await accounts.sql('SELECT * FROM audit_log'),
    ]);
    expect(dump.includes(token) || dump.includes(code)).toBe(false);
  });
});
