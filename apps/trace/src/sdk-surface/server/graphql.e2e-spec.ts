import { basic, startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { TraceModule } from '../../trace.module.js';

describe('GraphQL for SDKs', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  it('makes projects under the very name, and knows the viewer', async () => {
    const ask = async (text: string, who = client) => (await who.post('/graphql', { query: text })).json();
    const upsert =
      'mutation { upsertModel(input: {name: "My Project", entityName: "acme"}) { inserted model { name } project { id name } } }';
    const project = { id: Buffer.from('acme/My Project').toString('base64url'), name: 'My Project' };
    expect(await ask(upsert)).toEqual({
      data: { upsertModel: { inserted: true, model: { name: 'My Project' }, project } },
    });
    expect((await ask(upsert)).data.upsertModel.inserted).toBe(false);
    expect(await ask('{ viewer { username defaultEntity { name } } serverInfo { frontendHost } }')).toMatchObject({
      data: { viewer: { username: 'wendy' } },
    });
    // Not there yet, but the caller could make it; and elsewhere not.
    const find = (entity: string) => ask(`{ project(name: "new", entityName: "${entity}") { name } }`);
    expect([await find('acme'), await find('globex')]).toEqual([
      { data: { project: { name: 'new' } } },
      { data: { project: null } },
    ]);
    const nobody = await trace.as(basic('api', 'hone-none')).post('/graphql', { query: '{ viewer { id } }' });
    expect([nobody.status, nobody.json()]).toEqual([401, { reason: '401 Error' }]);
    const denied = await ask('mutation { upsertModel(input: {name: "x", entityName: "globex"}) { inserted } }');
    expect(denied).toMatchObject({
      data: { upsertModel: null },
      errors: [{ message: expect.stringMatching(/globex/) }],
    });
  });

  it.each([
    ['deep', `{ viewer ${'{ viewer '.repeat(12)}{ id }${' }'.repeat(12)} }`],
    ['introspective', '{ __schema { types { name } } }'],
    ['full of fields', `{ ${'viewer { id } '.repeat(2_000)} }`],
    [
      'nested by fragments',
      `{ ...f0 } ${Array.from({ length: 50 }, (_one, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`).join(' ')} fragment f50 on Query { viewer { id } }`,
    ],
    ['circular', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
    ['no document', '{{{'],
  ])('answers a document that is %s', async (_what, text) => {
    const { status, json } = await client.post('/graphql', { query: text });
    expect([status, Object.keys(json())]).toEqual([200, expect.any(Array)]);
  });

  it('refuses a document of more than 64 KiB', async () => {
    const { status, json } = await client.post('/graphql', { query: `{ viewer { id } } #${'x'.repeat(65_536)}` });
    expect([status, json()]).toEqual([413, { reason: 'Request too large' }]);
  });
});
