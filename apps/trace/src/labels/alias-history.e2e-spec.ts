import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const codeOf = ({ status, json }: TestResponse) => [status, json().code];
const PROTECTED = [409, 'alias.protected'];
const NOT_FOUND = [404, 'object.not_found'];

describe('the history of objects', () => {
  let trace: TestApp;
  let client: TestClient;
  let owner: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    owner = trace.as(await trace.user('olga', { roles: { acme: 'owner' } }));
  });
  afterAll(() => trace.close());

  const create = async (object_id: string, val: unknown): Promise<string> =>
    (await client.post('/obj/create', { obj: { project_id, object_id, val } })).json().digest;
  const read = (object_id: string, digest: string, as_of?: Date | string) =>
    client.post('/obj/read', { project_id, object_id, digest, ...(as_of && { as_of }) });
  const valOf = async (object_id: string, digest: string, as_of?: Date) =>
    (await read(object_id, digest, as_of)).json().obj?.val;
  const alias = (object_id: string, digest: string, name: string, more: object = {}, who = client) =>
    who.put(`/objs/${object_id}/aliases`, { project_id, digest, aliases: [name], ...more });
  const unalias = (object_id: string, name: string) =>
    client.post(`/objs/${object_id}/aliases/remove`, { project_id, aliases: [name] });
  const remove = (object_id: string, ...digests: string[]) =>
    client.post('/obj/delete', { project_id, object_id, digests });
  const restore = (object_id: string, digest: string) => client.post('/obj/restore', { project_id, object_id, digest });
  /** A time after all that was done, and before all that comes. */
  async function moment(): Promise<Date> {
    await new Promise((resolve) => setTimeout(resolve, 3));
    const now = new Date();
    await new Promise((resolve) => setTimeout(resolve, 3));
    return now;
  }

  it('reads what latest and aliases named at a time', async () => {
    const before = await moment();
    await create('a', 'one');
    await alias('a', 'v0', 'best');
    const one = await moment();
    await create('a', 'two');
    await alias('a', 'latest', 'best');
    const two = await moment();
    await create('a', 'one');
    await unalias('a', 'best');
    const back = await moment();
    await alias('a', 'v1', 'best');
    const named = async (at?: Date) => [await valOf('a', 'latest', at), await valOf('a', 'best', at)];
    expect(await named(one)).toEqual(['one', 'one']);
    expect(await named(two)).toEqual(['two', 'two']);
    expect(await named(back)).toEqual(['one', undefined]);
    expect(await named()).toEqual(['one', 'two']);
    expect(await named(new Date('2999-01-01T00:00:00Z'))).toEqual(['one', 'two']);
    expect(codeOf(await read('a', 'latest', before))).toEqual(NOT_FOUND);
    expect(codeOf(await read('a', 'best', back))).toEqual(NOT_FOUND);
    expect(codeOf(await read('a', 'never', one))).toEqual(NOT_FOUND);
    expect(await valOf('a', 'v1', before)).toBe('two');
    const { created_at } = (await read('a', 'v1')).json().obj;
    expect(await valOf('a', 'latest', created_at)).toBe('two');
    expect((await read('a', 'latest', 'yesterday')).json().detail).toMatchObject([{ loc: ['body', 'as_of'] }]);
  });

  it('knows the latest of before the notes, and what was deleted since', async () => {
    await create('old', 1);
    const one = await moment();
    await create('old', 2);
    const two = await moment();
    await trace.sql(`DELETE FROM alias_moves WHERE object_id = 'old'`);
    expect([await valOf('old', 'latest', one), await valOf('old', 'latest', two)]).toEqual([1, 2]);
    await remove('old', 'v1');
    expect(await valOf('old', 'latest')).toBe(1);
    expect(codeOf(await read('old', 'latest', two))).toEqual([404, 'object.deleted']);
  });

  it('restores a deleted version under its number, the latest where no newer one is live', async () => {
    for (const val of ['one', 'two', 'three']) await create('r', val);
    await alias('r', 'v2', 'best');
    const { digest } = (await read('r', 'v2')).json().obj;
    await remove('r', 'v0', 'v2');
    expect((await read('r', 'latest')).json().obj).toMatchObject({ val: 'two', version_index: 1 });
    const restored = await restore('r', digest);
    expect([restored.status, restored.json()]).toEqual([200, { digest, object_id: 'r' }]);
    expect((await read('r', 'latest')).json().obj).toMatchObject({ val: 'three', version_index: 2 });
    expect(codeOf(await read('r', 'best'))).toEqual(NOT_FOUND);
    expect((await restore('r', 'v0')).status).toBe(200);
    expect((await restore('r', 'v0')).status).toBe(200);
    expect((await read('r', 'latest')).json().obj.val).toBe('three');
    await remove('r', 'v0', 'v1', 'v2');
    expect((await restore('r', 'v1')).status).toBe(200);
    expect((await read('r', 'latest')).json().obj.val).toBe('two');
    for (const missing of ['v9', 'latest-ish']) expect(codeOf(await restore('r', missing))).toEqual(NOT_FOUND);
    expect(codeOf(await restore('nothing', 'v0'))).toEqual(NOT_FOUND);
  });

  it('restores no version whose class another one has taken', async () => {
    const of = (name: string) => ({ _type: name, _class_name: name, _bases: ['Object', 'BaseModel'] });
    await create('c', of('Cat'));
    await remove('c', 'v0');
    await create('c', of('Dog'));
    expect(codeOf(await restore('c', 'v0'))).toEqual([409, 'object.type_collision']);
  });

  it('neither moves nor removes a protected alias, nor deletes its version', async () => {
    for (const val of ['one', 'two']) await create('p', val);
    expect((await alias('p', 'v0', 'stable', { protected: true })).status).toBe(403);
    expect((await alias('p', 'v0', 'stable', { protected: true }, owner)).status).toBe(200);
    for (const refused of [
      await alias('p', 'v1', 'stable'),
      await alias('p', 'v1', 'stable', {}, owner),
      await alias('p', 'v1', 'stable', { protected: true }, owner),
      await client.put('/objs/p/aliases', { project_id, digest: 'v1', aliases: ['free', 'stable'] }),
      await unalias('p', 'stable'),
      await remove('p', 'v0'),
      await client.post('/obj/delete', { project_id, object_id: 'p' }),
    ])
      expect(codeOf(refused)).toEqual(PROTECTED);
    expect([await valOf('p', 'stable'), (await read('p', 'free')).status]).toEqual(['one', 404]);
    // The same version again is no move, and keeps the protection.
    expect((await alias('p', 'v0', 'stable')).status).toBe(200);
    expect(codeOf(await unalias('p', 'stable'))).toEqual(PROTECTED);
    expect((await alias('p', 'v1', 'stable', { protected: false })).status).toBe(403);
    expect((await alias('p', 'v1', 'stable', { protected: false }, owner)).status).toBe(200);
    expect(await valOf('p', 'stable')).toBe('two');
    expect((await unalias('p', 'stable')).status).toBe(200);
    expect((await remove('p', 'v0')).status).toBe(200);
    expect((await alias('p', 'v1', 'stable', { protected: 1 }, owner)).json().detail).toMatchObject([
      { loc: ['body', 'protected'], type: 'bool_type' },
    ]);
  });

  it('keeps an evaluation that a protected alias names', async () => {
    await client.post(`/v2/${PROJECT}/evaluations`, { name: 'smoke', dataset: `hone:///${PROJECT}/object/d:v0` });
    await alias('smoke', 'v0', 'gold', { protected: true }, owner);
    expect(codeOf(await client.delete(`/v2/${PROJECT}/evaluations/smoke`))).toEqual(PROTECTED);
    expect((await read('smoke', 'gold')).status).toBe(200);
  });
});
