import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Principal } from '@hone/auth';
import { newId } from '@hone/database';
import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

const LONG = 'ok+tokens@400+pace@100';
/** About 27 MB, more than all buffers between the caller and the fake. */
const HUGE = 'ok+tokens@150000';
const ECHO = 'ok+echo+tokens@20+pace@1';

describe('callers', () => {
  let fake: FakeUpstream;
  let gateway: FaultyGateway;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'a' });
    const plain = ['silent', 'headers-only', 'stall', LONG, ECHO, 'ok'];
    const huge = routeTo('huge', { upstream: 'up', model: HUGE });
    gateway = await startFaultyGateway({
      upstreams: [
        fakeUpstream(fake, 'up', [...plain, HUGE], { max_concurrency: 200 }),
        fakeUpstream(fake, 'narrow', ['silent'], { max_concurrency: 1 }),
      ],
      routes: [
        ...plain.map((model) => routeTo(model, { upstream: 'up', model })),
        { ...routeTo('narrow', { upstream: 'narrow', model: 'silent' }), queue_ms: 60_000 },
        { ...huge, id: 'huge' },
        { ...huge, id: 'huge stuck', write_stall_ms: 300 },
      ],
    });
  });
  beforeEach(() => fake.forget());
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  const open = (model: string, stream: boolean) => {
    const rid = newId();
    return { rid, ...gateway.client.open({ model, stream }, { 'x-request-id': rid }) };
  };
  const lastIsClosed = () => until(() => typeof fake.requests.at(-1)?.abortedAtMs === 'number');
  const waiting = async (model: string) => {
    const directory = gateway.app.get(GatewayModels);
    const caller = { attributes: { models: null } } as Principal;
    return (await directory.find(model, caller))?.route.tiers[0]?.waiting;
  };

  describe.each([true, false])('who leave, stream: %s', (stream) => {
    it('leave the queue', async () => {
      const first = open('narrow', stream);
      await until(() => fake.count() === 1);
      const second = open('narrow', stream);
      await until(async () => (await waiting('narrow')) === 1);
      second.leave();
      expect(await gateway.used(second.rid)).toMatchObject({ status: 'aborted', isBilled: false, attempts: [] });
      expect(await waiting('narrow')).toBe(0);
      first.leave();
      await lastIsClosed();
      expect(fake.count()).toBe(1);
    });

    it.each(['silent', 'headers-only'])('cancel their request before the first token: %s', async (model) => {
      const { rid, leave } = open(model, stream);
      await until(() => fake.count() === 1);
      leave();
      await lastIsClosed();
      expect(await gateway.used(rid)).toMatchObject({ status: 'aborted', errorCode: null, isBilled: false });
      expect(fake.count()).toBe(1);
    });
  });

  it('who leave within a stream are billed for the produced tokens', async () => {
    const { rid, head, leave } = open(LONG, true);
    const response = await head;
    let body = '';
    response.on('data', (chunk) => (body += String(chunk))).on('error', () => undefined);
    await until(() => body.includes('"content":" a5"'));
    leave();
    await lastIsClosed();
    const used = await gateway.used(rid);
    expect(used).toMatchObject({ status: 'aborted', errorCode: null, isBilled: true, source: 'estimated' });
    expect(used.completionTokens).toBeGreaterThanOrEqual(6);
    expect(used.completionTokens).toBeLessThan(400);
    expect(used.costNanoUsd).toBe(used.promptTokens * 1_000 + used.completionTokens * 2_000);
  });

  it('who leave while they send a body cancel the request', async () => {
    const { rid, leave } = open('stall', false);
    await until(() => fake.count() === 1);
    leave();
    await lastIsClosed();
    expect(await gateway.used(rid)).toMatchObject({ status: 'aborted', isBilled: false });
  });

  it('who read slowly cause backpressure, and lose nothing', async () => {
    const { rid, head } = open('huge', true);
    const response = await head;
    await sleep(500);
    expect(fake.requests[0]?.isOver).toBe(false);
    const body = await text(response);
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(body.match(/"content":" a\d+"/g)).toHaveLength(149_999);
    expect(await gateway.used(rid)).toMatchObject({ status: 'ok', completionTokens: 150_001 });
  });

  it('who read nothing are disconnected', async () => {
    const { rid, head } = open('huge stuck', true);
    const response = await head;
    await lastIsClosed();
    expect(await gateway.used(rid)).toMatchObject({ status: 'aborted', errorCode: null, isBilled: true });
    // Their connections are closed after a partial answer.
    await expect(text(response)).rejects.toThrow();
  });

  it('of a hundred concurrent streams each get their own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const rid = newId();
        const messages = [{ role: 'user', content: `s${n}t` }];
        return {
          n,
          rid,
          answer: await gateway.client.ask({ model: ECHO, stream: true, messages }, { 'x-request-id': rid }),
        };
      }),
    );
    for (const { n, rid, answer } of answers) {
      expect(answer.text).toEqual(answerOf(`s${n}t`, 20));
      expect(answer.isWhole).toBe(true);
      expect(new Set(answer.frames.map(({ id }) => id))).toEqual(new Set([`chatcmpl-${rid}`]));
    }
  });

  it('who reuse an id are billed for each request', async () => {
    const ids = { 'x-request-id': 'again' };
    const asked = await Promise.all([1, 2, 3].map(() => gateway.client.ask({ model: 'ok' }, ids)));
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    await gateway.app.get(MeteringService).flush();
    const rows = await gateway.db.client.usageRecord.findMany({ where: { rid: 'again' } });
    expect(new Set(rows.map(({ uid }) => uid)).size).toBe(3);
  });
});
