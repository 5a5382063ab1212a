import { newId } from '@hone/database';
import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { COST_NANO_USD, fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

const CHAT = '/v1/chat/completions';
const ASKED = { messages: [{ role: 'user', content: 'hi' }] };

describe('the cache of a route', () => {
  let fake: FakeUpstream;
  let gateway: FaultyGateway;
  let colleague: string;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'a' });
    const ok = { upstream: 'up', model: 'ok' };
    gateway = await startFaultyGateway({
      upstreams: [fakeUpstream(fake, 'up', ['ok', 'status@500'], { retries: 0 })],
      routes: [
        { ...routeTo('shared', ok), aliases: ['shared-too'], cache: { ttl_s: 600 } },
        { ...routeTo('own', ok), cache: { ttl_s: 600, scope: 'key', max_bytes: 100_000 } },
        { ...routeTo('failing', { upstream: 'up', model: 'status@500' }), cache: { ttl_s: 600 } },
        routeTo('plain', ok),
      ],
    });
    const { id: entityId } = await gateway.db.client.entity.findFirstOrThrow({ where: { name: 'acme' } });
    for (const name of ['demo', 'other']) {
      await gateway.db.client.project.create({ data: { id: newId(), entityId, name, createdBy: newId() } });
    }
    colleague = (await gateway.user('colleague', { roles: { acme: 'writer' } })).key;
  });
  beforeEach(() => fake.forget());
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  async function ask(body: object, headers: Record<string, string> = {}, path = CHAT) {
    const rid = newId();
    const response = await fetch(gateway.client.url + path, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${gateway.writer.key}`, 'content-type': 'application/json', 'x-request-id': rid },
        ...{ 'hone-project': 'acme/demo', ...headers },
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { rid, status: response.status, text, headers: response.headers, cache: response.headers.get('hone-cache') };
  }
  /** A request that no other test makes. */
  const once = () => ({ model: 'shared', ...ASKED, seed: Math.floor(Math.random() * 2 ** 40) });

  it.each([{}, { stream: true }])(
    'answers equal requests again: a usage record without cost, and a call: %j',
    async (more) => {
      const body = { ...once(), ...more };
      const first = await ask(body);
      const second = await ask({ ...body, model: 'shared-too', user: 'someone' });
      expect([first.cache, second.cache]).toEqual(['miss', 'hit']);
      expect(second.text).toBe(first.text.replaceAll(first.rid, second.rid));
      expect(second.text).toContain(second.rid);
      expect(fake.count()).toBe(1);
      expect(await gateway.used(first.rid)).toMatchObject({ costNanoUsd: COST_NANO_USD });
      expect(await gateway.used(second.rid)).toMatchObject({
        ...{ status: 'ok', costNanoUsd: 0, promptTokens: 0, completionTokens: 0, target: 'cache', source: null },
      });
      const [call] = await gateway.sql<{ output: object; attributes: object }>(
        `SELECT output_text::json output, attributes_text::json attributes FROM call_values WHERE id = '${second.rid}'`,
      );
      expect(JSON.stringify(call?.output)).toContain(answerOf('a'));
      expect(call?.attributes).toMatchObject({ model: 'ok', target: 'cache', route: 'shared-too' });
    },
  );

  it('keeps streams and whole answers apart', async () => {
    const body = once();
    await ask(body);
    expect((await ask({ ...body, stream: true })).cache).toBe('miss');
  });

  it('is one for the keys of a project, and never for two projects', async () => {
    const body = once();
    await ask(body);
    expect((await ask(body, { authorization: `Bearer ${colleague}` })).cache).toBe('hit');
    expect((await ask(body, { 'hone-project': 'acme/other' })).cache).toBe('miss');
    expect((await ask(body, { 'hone-project': 'acme/other' })).cache).toBe('hit');
  });

  it('is one for each key where the route says so', async () => {
    const body = { ...once(), model: 'own' };
    await ask(body);
    expect((await ask(body, { authorization: `Bearer ${colleague}` })).cache).toBe('miss');
    expect((await ask(body)).cache).toBe('hit');
    expect((await ask(body, { 'hone-project': 'acme/other' })).cache).toBe('miss');
  });

  it.each<Record<string, string>>([
    { 'hone-cache': 'bypass' },
    { 'hone-cache': ' Bypass' },
    { 'cache-control': 'no-store' },
    { 'cache-control': 'max-age=0, no-cache' },
  ])('is passed by, neither read nor filled, with %j', async (headers) => {
    const body = once();
    expect((await ask(body, headers)).cache).toBe('bypass');
    expect((await ask(body)).cache).toBe('miss');
    expect((await ask(body, headers)).cache).toBe('bypass');
    expect(fake.count()).toBe(3);
  });

  it('is not there for routes without one, nor for requests that name several models', async () => {
    for (const more of [{ model: 'plain' }, { fallbacks: ['plain'] }]) {
      const body = { ...once(), ...more };
      for (let count = 0; count < 2; count++) expect((await ask(body)).cache).toBeNull();
    }
    expect(fake.count()).toBe(4);
  });

  it('keeps no failure', async () => {
    const body = { ...once(), model: 'failing' };
    expect((await ask(body)).status).toBe(502);
    expect((await ask(body)).status).toBe(502);
    expect(fake.count()).toBe(2);
  });

  it.each([
    ['/v1/responses', { input: 'hi' }],
    ['/v1/messages', { max_tokens: 9, messages: ASKED.messages }],
  ])('answers at %s, in its form', async (path, more) => {
    const { seed } = once();
    for (const stream of [false, true]) {
      const body = { model: 'shared', seed, stream, ...more };
      const first = await ask(body, {}, path);
      const second = await ask(body, {}, path);
      expect([first.cache, second.cache]).toEqual(['miss', 'hit']);
      expect(second.text).toContain(stream ? 'a0' : answerOf('a'));
      expect(second.text).toContain(second.rid);
      expect(second.text).not.toContain(first.rid);
    }
  });

  it('counts each hit as a request of its own', async () => {
    const body = once();
    const rids = [(await ask(body)).rid, (await ask(body)).rid, (await ask(body)).rid];
    await gateway.app.get(MeteringService).flush();
    const rows = await gateway.db.client.usageRecord.findMany({ where: { rid: { in: rids } } });
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(({ uid }) => uid)).size).toBe(3);
  });

  it('does not answer who may not ask', async () => {
    const body = once();
    await ask(body);
    expect((await ask(body, { authorization: 'Bearer hone_nobody' })).status).toBe(401);
    const reader = await gateway.user('reader-only', { roles: { acme: 'reader' } });
    expect((await ask(body, { authorization: `Bearer ${reader.key}` })).status).toBe(403);
  });
});
