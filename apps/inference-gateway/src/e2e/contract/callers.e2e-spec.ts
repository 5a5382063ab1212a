import { until } from '@hone/testing';

import { connectedClient } from '../connected-client.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';
import { CAT, CHAT } from './contract.fixture.js';

describe('the caller', () => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    gateway = await startGatewayApp();
  });
  afterAll(() => gateway.close());

  const ask = { ...CAT, max_tokens: 1 };
  const over = (key: string) => connectedClient(gateway.app, `Bearer ${key}`);

  it('may use any connection, also shared ones, as behind a proxy', async () => {
    const other = await gateway.user('other', { scopes: ['trace'] });
    const connection = over(gateway.writer.key);
    const as = (key: string) => connection.post(CHAT, ask, { headers: { authorization: `Bearer ${key}` } });
    const statuses: number[] = [];
    for (const key of [gateway.writer.key, other.key, gateway.writer.key, 'hone_unknown', gateway.writer.key]) {
      statuses.push((await as(key)).status);
    }
    expect(statuses).toEqual([200, 403, 200, 401, 200]);
    expect((await over(gateway.writer.key).post(CHAT, ask)).status).toBe(200);
  });

  it('is looked up while keys with the same prefix are guessed, and guesses are rate limited', async () => {
    const { key } = await gateway.user('guessed');
    expect((await over(key).post(CHAT, ask)).status).toBe(200);
    const [guesser, here] = [over(`${key.slice(0, -1)}!`), over(key)];
    const braked = await until(async () => {
      await guesser.post(CHAT, ask);
      const answer = await here.post(CHAT, ask);
      return answer.status !== 200 && answer;
    }, 'a brake');
    expect([braked.status, braked.json().error.code, braked.headers['retry-after']]).toEqual([
      429,
      'rate_limit_requests',
      '1',
    ]);
    const elsewhere = await over(key).post(CHAT, ask, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(elsewhere.status).toBe(200);
  });
});
