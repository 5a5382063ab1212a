import { basic, startTestApp, type TestApp } from '@hone/testing';

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
    let status = 401;
    let attempts = 0;
    while (status === 401 && attempts < 100) {
      status = (await guess('hone_guess00')).status;
      attempts++;
    }
    expect([status, attempts]).toEqual([429, expect.any(Number)]);
    expect(attempts).toBeGreaterThanOrEqual(60);
    const braked = await guess('hone_guess00');
    expect([braked.headers['retry-after'], braked.json()]).toEqual([
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
      const statuses = [(await ask()).status, (await ask()).status, (await ask()).status];
      expect(statuses).toEqual([200, 200, 429]);
      expect((await limited.as(await limited.user('ada')).get('/basic')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
