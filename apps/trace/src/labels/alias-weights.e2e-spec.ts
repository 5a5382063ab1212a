import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { anObject, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const codeOf = ({ status, json }: TestResponse) => [status, json().code];
const PROTECTED = [409, 'alias.protected'];

describe('aliases that are split over versions', () => {
  let trace: TestApp;
  let client: TestClient;
  let digests: string[];
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    digests = [];
    for (const n of [0, 1, 2]) {
      digests.push((await client.post('/obj/create', anObject('greeting', { n }))).json().digest);
    }
  });
  afterEach(() => trace.close());

  const set = (body: object, who = client) =>
    who.put('/objs/greeting/aliases', { project_id, digest: 'v0', aliases: ['production'], ...body });
  const list = (objectId = 'greeting', who = client) =>
    who.get(`/objs/${objectId}/aliases?project_id=${encodeURIComponent(PROJECT)}`);
  const aliases = async () => (await list()).json().aliases;
  const remove = (...selectors: string[]) =>
    client.post('/obj/delete', { project_id, object_id: 'greeting', digests: selectors });
  const named = async () => {
    const { json } = await client.post('/obj/read', { project_id, object_id: 'greeting', digest: 'production' });
    return json().obj?.val;
  };
  const production = (at: number, weights: Record<string, number> | null, isProtected = false) => [
    { alias: 'production', digest: digests[at], protected: isProtected, weights },
  ];

  it('have their weights by digest, until they are set without', async () => {
    const { status, json } = await set({ weights: { v0: 90, v1: 9.5, [digests[2] as string]: 0 } });
    expect([status, json()]).toEqual([200, {}]);
    const [one, two, three] = digests as [string, string, string];
    expect(await aliases()).toEqual(production(0, { [one]: 90, [two]: 9.5, [three]: 0 }));
    expect(await named()).toEqual({ n: 0 });
    await set({ weights: { latest: 1, production: 3 } });
    expect(await aliases()).toEqual(production(0, { [one]: 3, [three]: 1 }));
    for (const plain of [{}, { weights: null }]) {
      await set({ weights: { v0: 1, v1: 1 } });
      await set({ digest: 'v1', ...plain });
      expect(await aliases()).toEqual(production(1, null));
    }
  });

  it('are listed with those that are not split, by code point', async () => {
    await set({ aliases: ['b', 'a', 'Z'], weights: { v0: 1, v1: 1 } });
    await set({ aliases: ['a'] });
    const listed = (await aliases()) as { alias: string; weights: object | null }[];
    expect(listed.map(({ alias, weights }) => [alias, weights !== null])).toEqual([
      ['Z', true],
      ['a', false],
      ['b', true],
    ]);
    expect((await list('nothing')).json()).toEqual({ aliases: [] });
    expect((await list('a%20b')).json()).toEqual({ aliases: [] });
    const stranger = trace.as(await trace.user('sam', { roles: { globex: 'owner' } }));
    expect(codeOf(await list('greeting', stranger))).toEqual([403, 'access.denied']);
  });

  it.each([
    [{ v0: -1, v1: 1 }, ['weights', 'v0'], 'greater_than_equal'],
    [{ v0: 1_000_000.5 }, ['weights', 'v0'], 'less_than_equal'],
    [{ v0: '1' }, ['weights', 'v0'], 'float_type'],
    [{ v0: null }, ['weights', 'v0'], 'float_type'],
    [{ v0: true }, ['weights', 'v0'], 'float_type'],
    [{ v0: 0, v1: 0 }, ['weights'], 'value_error'],
    [{}, ['weights'], 'value_error'],
    [[['v0', 1]], ['weights'], 'dict_type'],
    [{ v1: 1, v2: 1 }, ['weights'], 'value_error'],
    [{ v0: 1, v2: 1, latest: 1 }, ['weights', 'latest'], 'value_error'],
    [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`v${n}`, 1])), ['weights'], 'too_many'],
    [{ v0: 1, 'a\0': 1 }, ['weights', 'a\0'], 'string_unicode'],
  ])('have no such weights: %j', async (weights, loc, type) => {
    const { status, json } = await set({ weights });
    expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', ...loc], type }]]);
    expect(await aliases()).toEqual([]);
  });

  it('have no weights that are no numbers of JSON, or beyond what a number may be', async () => {
    for (const number of ['NaN', '1e400', '-Infinity']) {
      const body = `{"project_id":"${PROJECT}","digest":"v0","aliases":["production"],"weights":{"v0":${number}}}`;
      expect((await client.put('/objs/greeting/aliases', Buffer.from(body))).status).toBe(422);
    }
    expect(await aliases()).toEqual([]);
  });

  it('have no versions that are not there', async () => {
    await remove('v2');
    for (const [selector, code] of [
      ['v7', 'object.not_found'],
      ['nobody', 'object.not_found'],
      ['__proto__', 'object.not_found'],
      ['', 'object.not_found'],
      ['v2', 'object.deleted'],
    ] as const) {
      const body = `{"project_id":"${PROJECT}","digest":"v0","aliases":["production"],"weights":{"v0":1,"${selector}":1}}`;
      expect(codeOf(await client.put('/objs/greeting/aliases', Buffer.from(body)))).toEqual([404, code]);
    }
    expect(await aliases()).toEqual([]);
  });

  describe('of which versions are deleted', () => {
    it('go on with the others', async () => {
      const [one, two, three] = digests as [string, string, string];
      await set({ weights: { v0: 80, v1: 5, v2: 15 } });
      await remove('v1');
      expect(await aliases()).toEqual(production(0, { [one]: 80, [three]: 15 }));
      await client.post('/obj/restore', { project_id, object_id: 'greeting', digest: two });
      expect(await aliases()).toEqual(production(0, { [one]: 80, [three]: 15 }));
      await remove('v2');
      expect(await aliases()).toEqual(production(0, null));
      expect((await remove('v0')).status).toBe(200);
      expect(await aliases()).toEqual([]);
    });

    it('name the one with the largest share when their own is gone, and remember what they named', async () => {
      const [, two, three] = digests as [string, string, string];
      await set({ weights: { v0: 80, v1: 5, v2: 15 } });
      const before = new Date();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await remove('v0');
      expect(await aliases()).toEqual(production(2, { [two]: 5, [three]: 15 }));
      expect(await named()).toEqual({ n: 2 });
      const past = { project_id, object_id: 'greeting', digest: 'production', as_of: before };
      expect(codeOf(await client.post('/obj/read', past))).toEqual([404, 'object.deleted']);
      await remove('v2');
      expect(await aliases()).toEqual(production(1, null));
    });

    it('go with all that had a share', async () => {
      await set({ weights: { v0: 1, v1: 0, v2: 0 } });
      await remove('v0');
      expect(await aliases()).toEqual([]);
      await set({ digest: 'v1', weights: { v1: 0, v2: 1 } });
      await remove('v2');
      expect(await aliases()).toEqual(production(1, null));
      await client.post('/obj/delete', { project_id, object_id: 'greeting' });
      expect(await aliases()).toEqual([]);
    });
  });

  it('keep weights and versions while they are protected', async () => {
    const owner = trace.as(await trace.user('olga', { roles: { acme: 'owner' } }));
    const weights = { v0: 9, v1: 1 };
    const [one, two] = digests as [string, string];
    expect((await set({ weights, protected: true }, owner)).status).toBe(200);
    for (const refused of [
      await set({ weights: { v0: 8, v1: 2 } }),
      await set({ weights: { v0: 8, v1: 2 }, protected: true }, owner),
      await set({}),
      await set({ digest: 'v1', weights }),
      await remove('v1'),
      await remove('v0'),
    ]) {
      expect(codeOf(refused)).toEqual(PROTECTED);
    }
    expect((await set({ weights: { v1: 1, v0: 9.0 } })).status).toBe(200);
    expect((await remove('v2')).status).toBe(200);
    expect(await aliases()).toEqual(production(0, { [one]: 9, [two]: 1 }, true));
    expect((await set({ protected: false }, owner)).status).toBe(200);
    expect(await aliases()).toEqual(production(0, null));
  });

  it('survive parallel splits and a deletion', async () => {
    const work = Array.from({ length: 24 }, (_, n) => [
      set({ weights: { v0: 1 + n, v1: 1, v2: n } }),
      ...(n === 12 ? [remove('v1')] : []),
    ]).flat();
    const statuses = (await Promise.all(work)).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 404].includes(status))).toEqual([]);
    const [{ weights }] = await aliases();
    expect(Object.keys(weights ?? {})).not.toContain(digests[1]);
  });
});
