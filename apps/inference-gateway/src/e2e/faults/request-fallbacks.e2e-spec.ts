import { newId } from '@hone/database';
import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import { EmbeddingServer } from '../embedding-server.fixture.js';
import { COST_NANO_USD, fakeUpstream } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

const DEAR = { prompt: 100, cached: 50, completion: 200 };
const CHEAP = { prompt: 1, cached: 0.5, completion: 2 };

describe('models that a request falls back to', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  const embedding = new EmbeddingServer();
  let gateway: FaultyGateway;
  beforeAll(async () => {
    [a, b] = [await FakeUpstream.start({ name: 'a' }), await FakeUpstream.start({ name: 'b' })];
    const embedders = [{ name: 'embed', kind: 'embedding' }];
    const route = (id: string, upstream: string, model: string, price: object) => ({
      ...{ id, price, aliases: [`${id}-too`] },
      targets: [{ upstream, model }],
    });
    gateway = await startFaultyGateway({
      upstreams: [
        fakeUpstream(a, 'first', ['status@500', 'cut@40+tokens@60', 'content-filter', 'context', 'ok'], { retries: 0 }),
        fakeUpstream(b, 'second', ['ok']),
        fakeUpstream(b, 'vectors', [], { models: embedders, retries: 0 }),
        fakeUpstream(a, 'text', ['status@500'], { speaks: ['completions'], retries: 0 }),
        fakeUpstream(b, 'embeddings', [], { base_url: await embedding.start(), models: embedders }),
        { ...fakeUpstream(a, 'off', ['ok']), enabled: false },
      ],
      routes: [
        route('broken', 'first', 'status@500', DEAR),
        route('cut', 'first', 'cut@40+tokens@60', DEAR),
        route('filtered', 'first', 'content-filter', DEAR),
        route('good', 'second', 'ok', CHEAP),
        route('other', 'first', 'ok', DEAR),
        route('vectors', 'vectors', 'embed', CHEAP),
        route('sound-vectors', 'embeddings', 'embed', CHEAP),
        route('broken-text', 'text', 'status@500', CHEAP),
        route('away', 'off', 'ok', CHEAP),
        { id: 'missing', targets: [{ upstream: 'local', model: 'not-here' }] },
      ],
    });
  });
  beforeEach(() => {
    a.forget();
    b.forget();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([a.stop(), b.stop(), embedding.stop()]);
  });

  const row = async (rid: string) => {
    const [found] = await gateway.db.client.usageRecord.findMany({ where: { rid } });
    return found;
  };

  it.each([
    ['models beside model', { model: 'broken', models: ['good'] }],
    ['models alone', { models: ['broken', 'good'] }],
    ['models that repeat model', { model: 'broken', models: ['broken', 'good', 'good-too'] }],
    ['fallbacks by name', { model: 'broken', fallbacks: ['good'] }],
    ['fallbacks as objects', { model: 'broken', fallbacks: [{ model: 'good' }] }],
    ['null beside', { model: 'broken', models: ['good'], fallbacks: null }],
  ])('are tried when the model before fails: %s', async (_, fields) => {
    const rid = newId();
    const answer = await gateway.client.ask(fields, { 'x-request-id': rid });
    expect(answer.text).toBe(answerOf('b'));
    expect(answer.frames[0]?.model).toBe('ok');
    expect(answer.headers.get('hone-route')).toBe('good');
    expect(answer.headers.get('hone-model')).toBe('ok');
    expect(answer.headers.get('hone-attempts')).toBe('2');
    const used = await gateway.used(rid);
    expect(used).toMatchObject({ costNanoUsd: COST_NANO_USD, target: 'second/ok', isBilled: true });
    expect(await row(rid)).toMatchObject({ modelAsked: 'broken', modelAnswered: 'ok' });
    // What upstreams could take for their own is not sent on.
    for (const { body, model } of [...a.requests, ...b.requests]) {
      const sent = JSON.parse(body.toString()) as object;
      expect(sent).toEqual({ model, messages: [{ role: 'user', content: 'hi' }] });
    }
  });

  it('come in a header, too, after those of the body', async () => {
    const answer = await gateway.client.ask({ model: 'broken' }, { 'hone-fallback': 'away, good' });
    expect(answer.headers.get('hone-route')).toBe('good');
    const both = await gateway.client.ask({ model: 'broken', models: ['other'] }, { 'hone-fallback': 'good' });
    expect(both.headers.get('hone-route')).toBe('other');
  });

  it('are left alone while the first answers, at its price', async () => {
    const rid = newId();
    const answer = await gateway.client.ask({ models: ['other', 'good'] }, { 'x-request-id': rid });
    expect(answer.headers.get('hone-route')).toBe('other');
    expect((await gateway.used(rid)).costNanoUsd).toBe(100 * COST_NANO_USD);
    expect(b.count()).toBe(0);
  });

  it('answer streams of which nothing was sent', async () => {
    const guarded = { 'hone-stream-guard': 'buffered' };
    const answer = await gateway.client.ask({ models: ['cut', 'good'], stream: true }, guarded);
    expect(answer.text).toBe(answerOf('b'));
    expect(answer.isWhole).toBe(true);
    expect(answer.headers.get('hone-route')).toBe('good');
    const late = await gateway.client.ask({ models: ['cut', 'good'], stream: true });
    expect(late.errorCode).toBe('stream_interrupted');
  });

  it('follow the fault table: nothing else is tried after a content filter', async () => {
    const answer = await gateway.client.ask({ models: ['filtered', 'good'] });
    expect({ status: answer.status, code: answer.errorCode }).toEqual({
      status: 400,
      code: 'content_policy_violation',
    });
    expect(b.count()).toBe(0);
  });

  it('do not ask a target that was given up again', async () => {
    const answer = await gateway.client.ask({ models: ['broken', 'broken-too'] });
    expect(answer.status).toBe(502);
    expect(a.count()).toBe(1);
  });

  it('stand in for a route without a target', async () => {
    expect((await gateway.client.ask({ models: ['missing', 'good'] })).text).toBe(answerOf('b'));
    expect((await gateway.client.ask({ models: ['away', 'good'] })).text).toBe(answerOf('b'));
    expect((await gateway.client.ask({ model: 'missing', fallbacks: [{ model: 'missing' }] })).status).toBe(503);
  });

  it.each([
    [{ models: ['good', 'nowhere'] }, {}, 'nowhere'],
    [{ model: 'good', fallbacks: ['nowhere'] }, {}, 'nowhere'],
    [{ model: 'good' }, { 'hone-fallback': 'nowhere' }, 'nowhere'],
    [{ model: 'good', models: ['vectors'] }, {}, 'vectors'],
  ])('must be there before anything is spent: %j %j', async (fields, headers, name) => {
    const answer = await gateway.client.ask(fields, headers as Record<string, string>);
    expect({ status: answer.status, code: answer.errorCode }).toEqual({ status: 404, code: 'model_not_found' });
    expect(answer.frames[0]?.error?.message).toContain(name);
    expect(a.count() + b.count()).toBe(0);
  });

  it('must be allowed to the key, each', async () => {
    const { id, key } = await gateway.user('held', { roles: { acme: 'writer' } });
    const attributes = JSON.stringify({ models: ['broken', 'good'] });
    await gateway.sql(`UPDATE api_keys SET attributes = '${attributes}' WHERE user_id = '${id}'`);
    const ask = (models: string[]) =>
      fetch(`${gateway.client.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ models, messages: [{ role: 'user', content: 'hi' }] }),
      });
    expect((await ask(['broken', 'good'])).status).toBe(200);
    const refused = await ask(['broken', 'other']);
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('other');
  });

  it.each([
    [{ model: 'good', models: 'good' }, 'list_type', 'models'],
    [{ model: 'good', models: [7] }, 'string_type', 'models.0'],
    [{ model: 'good', models: [''] }, 'string_too_short', 'models.0'],
    [{ models: [] }, 'missing', 'model'],
    [{ models: [{}] }, 'string_type', 'model'],
    [{ model: 'good', models: Array.from({ length: 10 }, (_, at) => `m${at}`) }, 'too_many', 'models'],
    [{ model: 'good', fallbacks: Array.from({ length: 9 }, (_, at) => `m${at}`) }, 'too_many', 'fallbacks'],
    [{ model: 'good', fallbacks: [{}] }, 'missing', 'fallbacks.0.model'],
    [{ model: 'good', fallbacks: [{ model: 'other', temperature: 0 }] }, 'extra_forbidden', 'fallbacks.0.temperature'],
  ])('are refused where they are malformed: %j', async (fields, code, path) => {
    const answer = await gateway.client.ask(fields);
    expect({ status: answer.status, code: answer.errorCode }).toEqual({ status: 422, code });
    expect(answer.frames[0]?.error?.message).toMatch(new RegExp(`^body\\.${path}:`));
    expect(a.count() + b.count()).toBe(0);
  });

  it.each([['good,,other'], [','], [Array.from({ length: 12 }, (_, at) => `m${at}`).join(',')]])(
    'are refused in a malformed header: %s',
    async (sent) => {
      const answer = await gateway.client.ask({ model: 'good' }, { 'hone-fallback': sent });
      expect({ status: answer.status, code: answer.errorCode }).toEqual({ status: 422, code: 'invalid_header' });
    },
  );

  const ask = async (path: string, body: object) => {
    const rid = newId();
    const response = await fetch(gateway.client.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.writer.key}`,
        'content-type': 'application/json',
        'x-request-id': rid,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, route: response.headers.get('hone-route'), text: await response.text() };
  };

  it.each([
    ['/v1/responses', { input: 'hi' }],
    ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }],
  ])('answer at %s', async (path, more) => {
    for (const named of [{ models: ['broken', 'good'] }, { model: 'broken', fallbacks: [{ model: 'good' }] }]) {
      const { status, route, text } = await ask(path, { ...named, ...more });
      expect({ status, route }).toEqual({ status: 200, route: 'good' });
      expect(text).toContain(answerOf('b'));
    }
    expect((await ask(path, { models: ['good', 'nowhere'], ...more })).status).toBe(404);
    expect((await ask(path, { model: 'good', models: [7], ...more })).status).toBe(422);
  });

  it.each([
    ['/v1/completions', 'hone-tiny', { prompt: 'hi', max_tokens: 4 }],
    ['/v1/embeddings', 'sound-vectors', { input: 'hi' }],
  ])('answer at %s, each of its kind', async (path, good, more) => {
    const [broken, alien] = path.endsWith('embeddings') ? ['vectors', 'good'] : ['broken-text', 'vectors'];
    for (const named of [{ models: [broken, good] }, { model: broken, fallbacks: [{ model: good }] }]) {
      expect(await ask(path, { ...named, ...more })).toMatchObject({ status: 200, route: good });
    }
    expect((await ask(path, { models: [good, alien], ...more })).status).toBe(404);
    expect((await ask(path, { model: good, fallbacks: 'good', ...more })).status).toBe(422);
  });
});
