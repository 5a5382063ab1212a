import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import { fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';
import type { GatewayAnswer } from './gateway-answer.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';

const MODEL = 'ok+pace@5';
/** Longer than the interval at which the file is checked. */
const NOTICED_MS = 1_500;

describe('changes at run time', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  let gateway: FaultyGateway;
  const configuration = (fake: FakeUpstream) => ({
    upstreams: [fakeUpstream(fake, 'up', [MODEL])],
    routes: [routeTo('chat', { upstream: 'up', model: MODEL })],
  });
  beforeAll(async () => {
    [a, b] = await Promise.all([FakeUpstream.start({ name: 'a' }), FakeUpstream.start({ name: 'b' })]);
    gateway = await startFaultyGateway(configuration(a));
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([a.stop(), b.stop()]);
  });

  it('of the upstreams file drop no request, and an invalid file changes nothing', async () => {
    const answers: GatewayAnswer[] = [];
    let isRunning = true;
    const lane = async (stream: boolean) => {
      while (isRunning) answers.push(await gateway.client.ask({ model: 'chat', stream }));
    };
    const lanes = Array.from({ length: 8 }, (_, n) => lane(n % 2 === 0));
    const isAnsweredBy = (name: string) => until(() => answers.at(-1)?.text === answerOf(name));
    await isAnsweredBy('a');
    await writeFile(gateway.file, JSON.stringify(configuration(b)));
    await isAnsweredBy('b');
    await writeFile(gateway.file, '{ upstreams: [ { kind: nothing } ] }');
    await sleep(NOTICED_MS);
    await isAnsweredBy('b');
    await writeFile(gateway.file, JSON.stringify(configuration(a)));
    await isAnsweredBy('a');
    isRunning = false;
    await Promise.all(lanes);
    expect(answers.filter(({ isWhole }) => !isWhole)).toEqual([]);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([answerOf('a'), answerOf('b')]));
  });

  it('revoke a key at all gateways at once', async () => {
    const user = await gateway.user('rita');
    const client = new GatewayClient(gateway.client.url, user.key);
    expect((await client.ask({ model: 'chat' })).status).toBe(200);
    await gateway.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [user.keyId]);
    await gateway.sql(`SELECT pg_notify('hone_auth', $1)`, [user.id]);
    // Without a notification the key would be cached for half a minute.
    await until(async () => (await client.ask({ model: 'chat' })).status === 401, 'a refusal', 25_000);
  });
});
