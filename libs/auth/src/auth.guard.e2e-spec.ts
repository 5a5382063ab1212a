import { basic, startTestApp, type TestApp, until } from '@hone/testing';

import { WhoModule } from './auth.fixture.js';

describe('the guards', () => {
  let who: TestApp;
  beforeAll(async () => {
    who = await startTestApp(WhoModule);
  });
  afterAll(() => who.close());

  it.each([
    ['/basic', 'Basic realm="hone"'],
    ['/bearer', 'Bearer realm="hone"'],
    ['/projects/acme/demo', 'Basic realm="hone", Bearer realm="hone"'],
  ])('ask for credentials at %s', async (path, challenge) => {
    const missing = await who.as(undefined).get(path);
    expect([missing.status, missing.headers['www-authenticate'], missing.text]).toEqual([
      401,
      challenge,
      '{"detail":"Credentials are missing.","code":"auth.missing"}',
    ]);
    const invalid = await who.as('Bearer hone_unknown').get(path);
    expect([invalid.status, invalid.headers['www-authenticate'], invalid.text]).toEqual([
      401,
      challenge,
      '{"detail":"Credentials are not valid.","code":"auth.invalid"}',
    ]);
  });

  it('take their own scheme only', async () => {
    const { key } = who.writer;
    expect((await who.as(`Bearer ${key}`).get('/basic')).json()).toMatchObject({ code: 'auth.invalid' });
    expect((await who.as(basic('api', key)).get('/bearer')).json()).toMatchObject({ code: 'auth.invalid' });
    expect((await who.as(`Bearer ${key}`).get('/bearer')).json()).toEqual({ username: 'wendy' });
    expect((await who.as(basic('wendy', key)).get('/basic')).json()).toEqual({ username: 'wendy' });
    expect((await who.as(basic('Wendy', key)).get('/basic')).status).toBe(401);
    expect((await who.as(basic('', key)).get('/basic')).status).toBe(401);
  });

  it('refuse an expired and a revoked key', async () => {
    const late = await who.user('late', { expiresAt: new Date() });
    const revoked = await who.user('revoked');
    await who.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [revoked.keyId]);
    for (const { key } of [late, revoked]) expect((await who.as(`Bearer ${key}`).get('/bearer')).status).toBe(401);
  });

  it('brake one who guesses, and nobody else', async () => {
    const guess = (key: string) => who.as(`Bearer ${key}`).get('/bearer');
    let attempts = 0;
    const braked = await until(async () => {
      attempts++;
      const answer = await guess('hone_guess00');
      return answer.status !== 401 && answer;
    }, 'a brake');
    expect(attempts).toBeGreaterThanOrEqual(60);
    expect([braked.status, braked.headers['retry-after'], braked.json()]).toEqual([
      429,
      '1',
      { detail: 'Too many requests; try again in 1 s.', code: 'rate.limited' },
    ]);
    expect((await guess('hone_other00')).status).toBe(401);
    expect((await guess(who.writer.key)).status).toBe(200);
  });
});

describe('a limit of requests per key', () => {
  it('counts the requests of each key', async () => {
    const limited = await startTestApp(WhoModule, { rateLimitRps: 2 });
    try {
      const ask = () => limited.as(limited.writer).get('/basic');
      // At once, for with the time come new ones.
      const statuses = (await Promise.all(Array.from({ length: 20 }, ask))).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
      expect((await limited.as(await limited.user('ada')).get('/basic')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
