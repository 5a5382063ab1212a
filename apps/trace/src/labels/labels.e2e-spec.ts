import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { anObject, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const codeOf = ({ status, json }: TestResponse) => [status, json().code];

describe('tags and aliases', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    for (const n of [1, 2]) await client.post('/obj/create', anObject('config', { n }));
    await client.post('/obj/create', anObject('other', 1));
  });
  afterEach(() => trace.close());

  const labelsOf = async (objectId: string) => {
    const filter = { object_ids: [objectId] };
    const { json } = await client.post('/objs/query', { project_id, filter, include_tags_and_aliases: true });
    return (json().objs as { tags: string[]; aliases: string[] }[]).map(({ tags, aliases }) => ({ tags, aliases }));
  };
  const listed = async () => {
    const query = `?project_id=${encodeURIComponent(PROJECT)}`;
    return [(await client.get(`/tags${query}`)).json(), (await client.get(`/aliases${query}`)).json()];
  };

  it('adds tags once, to the version that is named, and takes them away', async () => {
    const tags = '/objs/config/versions/latest/tags';
    for (const sent of [['b', 'needs review'], ['b', 'b', 'été-1'], []]) {
      const { status, json } = await client.put(tags, { project_id, tags: sent });
      expect([status, json()]).toEqual([200, {}]);
    }
    expect(await labelsOf('config')).toEqual([
      { tags: [], aliases: [] },
      { tags: ['b', 'needs review', 'été-1'], aliases: ['latest'] },
    ]);
    await client.post(`${tags}/remove`, { project_id, tags: ['b', 'never had'] });
    await client.put('/objs/other/versions/v0/tags', { project_id, tags: ['été-1', 'A'] });
    expect(await listed()).toEqual([{ tags: ['A', 'needs review', 'été-1'] }, { aliases: [] }]);
  });

  it('moves an alias to the version that is named last', async () => {
    await client.put('/objs/config/aliases', { project_id, digest: 'v0', aliases: ['champion', 'x', 'x'] });
    await client.put('/objs/config/aliases', { project_id, digest: 'latest', aliases: ['champion'] });
    expect(await labelsOf('config')).toEqual([
      { tags: [], aliases: ['x'] },
      { tags: [], aliases: ['champion', 'latest'] },
    ]);
    await client.put('/objs/config/aliases', { project_id, digest: 'champion', aliases: ['winner'] });
    await client.put('/objs/other/aliases', { project_id, digest: 'v0', aliases: ['champion'] });
    expect(await listed()).toEqual([{ tags: [] }, { aliases: ['champion', 'winner', 'x'] }]);
    await client.post('/objs/config/aliases/remove', { project_id, aliases: ['champion', 'never had'] });
    expect(await listed()).toEqual([{ tags: [] }, { aliases: ['champion', 'winner', 'x'] }]);
    await client.post('/obj/delete', { project_id, object_id: 'config' });
    expect(await listed()).toEqual([{ tags: [] }, { aliases: ['champion'] }]);
  });

  it('refuses what is no alias or no tag, and keeps what was set', async () => {
    const aliases = [
      'latest',
      'v0',
      'v99',
      'A'.repeat(43),
      'a/b',
      'a:b',
      ' a',
      'a ',
      '',
      'x'.repeat(129),
      'a\0',
      'a\nb',
    ];
    for (const alias of [...aliases, '\ud800']) {
      const body = { project_id, digest: 'v0', aliases: ['good', alias] };
      expect([alias, (await client.put('/objs/config/aliases', body)).status]).toEqual([alias, 422]);
    }
    for (const tag of ['', ' a', 'a  b', 'a b ', 'a,b', 'é\u0301!', 'x'.repeat(257), 'a\0']) {
      const body = { project_id, tags: ['good', tag] };
      expect([tag, (await client.put('/objs/config/versions/v0/tags', body)).status]).toEqual([tag, 422]);
    }
    expect(await listed()).toEqual([{ tags: [] }, { aliases: [] }]);
  });

  it('labels only live versions of objects that are there', async () => {
    await client.post('/obj/delete', { project_id, object_id: 'config', digests: ['v0'] });
    const body = { project_id, tags: ['a'] };
    expect(codeOf(await client.put('/objs/config/versions/v0/tags', body))).toEqual([404, 'object.deleted']);
    expect(codeOf(await client.put('/objs/config/versions/v7/tags', body))).toEqual([404, 'object.not_found']);
    expect(codeOf(await client.put('/objs/nowhere/versions/v0/tags', body))).toEqual([404, 'object.not_found']);
    expect(codeOf(await client.put('/objs/a%20b/versions/v0/tags', body))).toEqual([404, 'object.not_found']);
    const remove = { project_id, aliases: ['a'] };
    expect(codeOf(await client.post('/objs/nowhere/aliases/remove', remove))).toEqual([404, 'object.not_found']);
    const elsewhere = { project_id: 'acme/nothing', tags: ['a'] };
    expect(codeOf(await client.put('/objs/config/versions/v1/tags', elsewhere))).toEqual([404, 'project.not_found']);
    expect(await trace.sql(`SELECT 1 FROM object_heads WHERE object_id IN ('nowhere', 'a b')`)).toEqual([]);
  });

  it('survives parallel changes and a deletion of one object', async () => {
    const work = Array.from({ length: 30 }, (_, n) => [
      client.put('/objs/config/aliases', { project_id, digest: n % 2 ? 'v0' : 'v1', aliases: ['a', 'b'] }),
      client.put('/objs/config/versions/v0/tags', { project_id, tags: [`t${n}`] }),
      ...(n === 15 ? [client.post('/obj/delete', { project_id, object_id: 'config', digests: ['v0'] })] : []),
    ]).flat();
    const statuses = (await Promise.all(work)).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 404].includes(status))).toEqual([]);
    // Nothing labels the deleted version.
    expect(await trace.sql(`SELECT 1 FROM object_tags`)).toEqual([]);
    expect(
      await trace.sql(`SELECT a.alias FROM object_aliases a JOIN object_versions v USING (project_id, object_id, digest)
        WHERE v.deleted_at IS NOT NULL`),
    ).toEqual([]);
  });
});
