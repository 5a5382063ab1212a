import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const EVALUATIONS = '/v2/acme/demo/evaluations';

describe('evaluations', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  /** Stores versions v0, v1, … and returns their digests. */
  const create = async (name: string, versions: number): Promise<string[]> => {
    const digests: string[] = [];
    for (let trials = 1; trials <= versions; trials++) {
      const response = await client.post(EVALUATIONS, { name, dataset: 'x:///acme/demo/object/questions:v0', trials });
      expect(response.status).toBe(200);
      digests.push(response.json().digest as string);
    }
    return digests;
  };
  const live = async (name: string): Promise<number[]> =>
    (await client.post('/objs/query', { project_id: 'acme/demo', filter: { object_ids: [name] } }))
      .json()
      .objs.map(({ version_index }: { version_index: number }) => version_index);

  it('stores every field of the body, refs in this server’s scheme', async () => {
    const [digest] = await create('whole', 1);
    const { objs } = (
      await client.post('/objs/query', { project_id: 'acme/demo', filter: { object_ids: ['whole'] } })
    ).json();
    expect(objs[0]).toMatchObject({ digest, base_object_class: 'Evaluation', leaf_object_class: 'Evaluation' });
    expect(objs[0].val).toEqual({
      _type: 'Evaluation',
      _class_name: 'Evaluation',
      _bases: ['Object', 'BaseModel'],
      name: 'whole',
      description: null,
      dataset: 'hone:///acme/demo/object/questions:v0',
      scorers: [],
      trials: 1,
      evaluation_name: null,
      eval_attributes: null,
    });
  });

  it('reads one version, refs in this server’s scheme', async () => {
    const created = await client.post(
      EVALUATIONS,
      '{"name":"Read","dataset":"x:///acme/demo/object/d:v0","scorers":["y:///acme/demo/op/s:v1"],"trials":2.0,"eval_attributes":{"n":1.0,"__proto__":1}}',
    );
    const response = await client.get(`${EVALUATIONS}/read/versions/latest`);
    expect(response.text).toContain('"eval_attributes":{"n":1.0,"__proto__":1}');
    expect(response.json()).toMatchObject({
      object_id: 'read',
      digest: created.json().digest,
      version_index: 0,
      created_at: expect.stringMatching(/Z$/),
      name: 'Read',
      description: null,
      dataset: 'hone:///acme/demo/object/d:v0',
      scorers: ['hone:///acme/demo/op/s:v1'],
      trials: 2,
      evaluation_name: null,
      evaluate_op: null,
      predict_and_score_op: null,
      summarize_op: null,
    });
  });

  it('reads what an SDK stored, whatever its fields are', async () => {
    const evaluate = 'hone:///acme/demo/op/Evaluation.evaluate:v0';
    const fields = { dataset: { rows: [] }, scorers: [1, evaluate], trials: 'many', eval_attributes: [], evaluate };
    const val = { _type: 'Evaluation', _class_name: 'Evaluation', _bases: ['Object', 'BaseModel'], ...fields };
    await client.post('/obj/create', anObject('by-sdk', val));
    const version = (await client.get(`${EVALUATIONS}/by-sdk/versions/v0`)).json();
    expect(version).toMatchObject({ dataset: null, scorers: [evaluate], trials: 1, eval_attributes: null });
    expect([version.evaluate_op, version.summarize_op]).toEqual([evaluate, null]);
  });

  it('takes no internal ref in its attributes', async () => {
    const eval_attributes = { a: ['weave-trace-internal:///x'] };
    const body = { name: 'x', dataset: 'x:///acme/demo/object/d:v0', eval_attributes };
    const { status, json } = await client.post(EVALUATIONS, body);
    expect([status, json().detail]).toMatchObject([
      422,
      [{ loc: ['body', 'eval_attributes', 'a', 0], type: 'value_error' }],
    ]);
  });

  it('deletes all versions, once', async () => {
    await create('smoke', 3);
    expect((await client.delete(`${EVALUATIONS}/smoke`)).json()).toEqual({ num_deleted: 3 });
    const again = await client.delete(`${EVALUATIONS}/smoke`);
    expect([again.status, again.json()]).toEqual([
      404,
      { detail: "'smoke' in 'acme/demo' has no evaluation versions.", code: 'evaluation.not_found' },
    ]);
  });

  it('deletes the listed versions, each once', async () => {
    const digests = await create('listed', 4);
    expect((await client.delete(`${EVALUATIONS}/listed?digests=v1`)).json()).toEqual({ num_deleted: 1 });
    expect((await client.delete(`${EVALUATIONS}/listed?digests=v0&digests=${digests[0]}`)).json()).toEqual({
      num_deleted: 1,
    });
    expect((await client.delete(`${EVALUATIONS}/listed?digests[]=latest`)).json()).toEqual({ num_deleted: 1 });
    expect(await live('listed')).toEqual([2]);
  });

  it('deletes nothing when one selector names nothing', async () => {
    await create('partly', 2);
    for (const missing of ['v9', 'alias', 'v0,v1', 'a'.repeat(43)]) {
      const response = await client.delete(`${EVALUATIONS}/partly?digests=v0&digests=${missing}`);
      expect([response.status, response.json().detail]).toEqual([
        404,
        `'partly' in 'acme/demo' has no evaluation version '${missing}'.`,
      ]);
    }
    expect(await live('partly')).toEqual([0, 1]);
  });

  it('never reads an empty selector as all', async () => {
    await create('kept', 1);
    const empty = await client.delete(`${EVALUATIONS}/kept?digests=`);
    expect(empty.json()).toEqual({
      detail: [
        { loc: ['query', 'digests', 0], msg: 'String should have at least 1 character', type: 'string_too_short' },
      ],
    });
    const many = await client.delete(`${EVALUATIONS}/kept?${Array(101).fill('digests=v0').join('&')}`);
    expect(many.json()).toEqual({
      detail: [{ loc: ['query', 'digests'], msg: 'List should have at most 100 items', type: 'too_many' }],
    });
    expect((await client.delete(`${EVALUATIONS}/kept?digests=v0&digests=%00`)).json().detail[0].loc).toEqual([
      'query',
      'digests',
      1,
    ]);
    expect(await live('kept')).toEqual([0]);
  });

  it('never reads a selection in the wrong form as all', async () => {
    await create('near', 2);
    const refused = (loc: string[]) => ({
      detail: [{ loc, msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }],
    });
    for (const name of ['digest', 'Digests', 'digests[0]', 'digests.0', 'digests%20', 'filter', '__proto__', '']) {
      const query = name === '' ? '=v0' : `${name}=v0`;
      for (const whole of [query, `digests=v0&${query}`]) {
        const response = await client.delete(`${EVALUATIONS}/near?${whole}`);
        expect([whole, response.status, response.json()]).toEqual([
          whole,
          422,
          refused(['query', decodeURIComponent(name)]),
        ]);
      }
    }
    for (const body of ['{"digests":["v0"]}', '["v0"]', '{}', 'null', ' ', 'digests=v0']) {
      for (const path of ['near', 'near?digests=v0']) {
        const response = await client.delete(`${EVALUATIONS}/${path}`, body);
        expect([body, response.status, response.json()]).toEqual([body, 422, refused(['body'])]);
      }
    }
    expect(await live('near')).toEqual([0, 1]);
  });

  it('leaves objects of other classes alone', async () => {
    await client.post('/obj/create', anObject('plain', 1));
    for (const path of ['plain', 'plain?digests=v0', 'bad%20name'])
      expect((await client.delete(`${EVALUATIONS}/${path}`)).json().code).toBe('evaluation.not_found');
    expect(await live('plain')).toEqual([0]);
  });

  it('takes an empty body with a content type', async () => {
    await create('bodied', 1);
    const response = await client.delete(`${EVALUATIONS}/bodied`, '', {
      headers: { 'content-type': 'application/json' },
    });
    expect(response.json()).toEqual({ num_deleted: 1 });
  });

  it('deletes each version once when two callers delete at the same time', async () => {
    await create('raced', 5);
    const responses = await Promise.all(Array.from({ length: 4 }, () => client.delete(`${EVALUATIONS}/raced`)));
    const deleted = responses
      .filter(({ status }) => status === 200)
      .map((response) => response.json().num_deleted as number);
    expect(deleted.reduce((sum, n) => sum + n, 0)).toBe(5);
    expect(responses.filter(({ status }) => status !== 200).every(({ status }) => status === 404)).toBe(true);
  });
});
