import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject, aTyped, aWholeCall, finishedCalls } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const AT = '/compat/weave';
const PROJECT = 'acme/demo';
const project_id = PROJECT;
const EXTRAS = {
  span_agent_name: 'a',
  span_agent_version: '1',
  span_status_code: 'OK',
  span_conversation_id: 'c',
  span_trace_id: 't',
  scorer_trace_id: 's',
};
const aNote = (fields: object = {}) => ({
  ...{ project_id, weave_ref: 'weave:///acme/demo/call/c1', feedback_type: 'wandb.note.1', payload: { note: 'n' } },
  ...fields,
});

describe('where the SDK surface differs', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/call/upsert_batch', finishedCalls('c1'));
  });
  afterAll(() => trace.close());

  const sdk = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    client.post(AT + path, body, { headers });
  const query = async (more: object = {}) => (await sdk('/feedback/query', { project_id, ...more })).json().result;

  it('keeps six texts beside feedback, which the canonical surface refuses', async () => {
    const sent = aNote({ id: 'extra', ...EXTRAS, something_else: 1, scorer_tags: null });
    expect((await sdk('/feedback/create', sent)).status).toBe(200);
    expect(await query({ query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'extra' }] } } })).toMatchObject([
      EXTRAS,
    ]);
    const byAgent = { $eq: [{ $getField: 'span_agent_name' }, { $literal: 'a' }] };
    expect(await query({ fields: ['id', 'span_trace_id'], query: { $expr: byAgent } })).toEqual([
      { id: 'extra', span_trace_id: 't' },
    ]);
    const { weave_ref: trace_ref, ...rest } = aNote();
    const refused = await client.post('/feedback/create', {
      ...rest,
      trace_ref,
      feedback_type: 'hone.note.1',
      ...EXTRAS,
    });
    expect([refused.status, refused.json().detail.length]).toEqual([422, 6]);
    const [canonical] = (await client.post('/feedback/query', { project_id })).json().result;
    expect(Object.keys(canonical).filter((name) => name in EXTRAS || name.startsWith('sdk_'))).toEqual([]);
    // Without them the SDKs read what their own server says.
    await sdk('/feedback/create', aNote({ id: 'plain' }));
    expect(await query({ query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'plain' }] } } })).toMatchObject([
      { span_agent_name: '', span_status_code: 'UNSET', scorer_trace_id: '' },
    ]);
  });

  it('takes the extras for content: the same id with others is taken', async () => {
    expect((await sdk('/feedback/create', aNote({ id: 'same', span_trace_id: 'x' }))).status).toBe(200);
    expect((await sdk('/feedback/create', aNote({ id: 'same', span_trace_id: 'x' }))).status).toBe(200);
    expect((await sdk('/feedback/create', aNote({ id: 'same', span_trace_id: 'y' }))).status).toBe(409);
  });

  it('stores types and refs under canonical names, and answers them under those of the SDKs', async () => {
    await sdk('/feedback/create', aNote({ id: 'typed' }));
    const expr = (field: string, value: string) => ({ $expr: { $eq: [{ $getField: field }, { $literal: value }] } });
    const names = {
      fields: ['id', 'feedback_type', 'weave_ref', 'wb_user_id'],
      sort_by: [{ field: 'weave_ref', direction: 'asc' }],
    };
    const all = await query({ ...names, query: expr('feedback_type', 'wandb.note.1') });
    expect(all).toContainEqual({
      ...{ id: 'typed', feedback_type: 'wandb.note.1', weave_ref: 'weave:///acme/demo/call/c1' },
      wb_user_id: trace.writer.id,
    });
    const canonical = await client.post('/feedback/query', {
      ...{ project_id, fields: ['feedback_type', 'trace_ref'], query: expr('id', 'typed') },
    });
    expect(canonical.json().result).toEqual([{ feedback_type: 'hone.note.1', trace_ref: 'hone:///acme/demo/call/c1' }]);
    // Names of the other surface are names of nothing.
    expect((await sdk('/feedback/query', { project_id, query: expr('trace_ref', 'x') })).status).toBe(400);
    expect((await client.post('/feedback/query', { project_id, query: expr('weave_ref', 'x') })).status).toBe(422);
    expect((await sdk('/feedback/create', { ...aNote(), weave_ref: undefined, trace_ref: 'x' })).status).toBe(422);
  });

  it('takes one retry id for several bodies, and each body once', async () => {
    const headers = { 'x-weave-retry-id': 'r-1' };
    const create = (n: number) => sdk('/feedback/create', aNote({ feedback_type: 'retried', payload: { n } }), headers);
    const [first, second, again] = [await create(1), await create(2), await create(1)];
    expect([first.status, second.status, again.status]).toEqual([200, 200, 200]);
    expect(again.json()).toEqual(first.json());
    expect(
      await query({
        fields: ['id'],
        query: { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: 'retried' }] } },
      }),
    ).toHaveLength(2);
  });

  it('answers what is not there as the SDKs expect it', async () => {
    const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const nowhere = [
      await sdk('/table/query', { project_id, digest }),
      await sdk('/table/query_stats/', { project_id, digest }),
    ];
    expect(nowhere.map(({ status, json }) => [status, json()])).toEqual([
      [200, { rows: [] }],
      [200, { count: 0 }],
    ]);
    const replaced = await sdk('/feedback/replace', aNote({ feedback_id: 'never', id: 'made' }));
    expect([replaced.status, replaced.json().id]).toEqual([200, 'made']);
    const { objs } = (
      await sdk('/objs/query', { project_id, sort_by: [{ field: 'wb_user_id', direction: 'desc' }] })
    ).json();
    expect(objs).toEqual([]);
  });

  it('answers errors under the classes of the SDKs', async () => {
    await client.post('/obj/create', anObject('thing', aTyped('Model')));
    const collision = await sdk('/obj/create', anObject('thing', aTyped('Dataset')));
    expect([collision.status, collision.json()]).toEqual([
      400,
      {
        reason: expect.any(String),
        ...{ error_type: 'ObjectNameTypeCollision', object_id: 'thing', kind: 'object' },
        ...{ new_base_object_class: 'Dataset', existing_base_object_classes: ['Model'] },
      },
    ]);
    const mismatch = await sdk('/obj/create', anObject('other', { a: 1 }, { expected_digest: 'x' }));
    expect([mismatch.status, mismatch.json().error_type]).toEqual([409, 'DigestMismatchError']);
    const { digest } = (await sdk('/obj/create', anObject('gone', { a: 1 }))).json();
    await sdk('/obj/delete', { project_id, object_id: 'gone', digests: [digest] });
    const deleted = await sdk('/obj/read', { project_id, object_id: 'gone', digest });
    expect([deleted.status, deleted.json()]).toEqual([
      404,
      { reason: expect.any(String), error_type: 'ObjectDeletedError', deleted_at: expect.stringMatching(/Z$/) },
    ]);
    const missing = await sdk('/obj/read', { project_id, object_id: 'none', digest: 'v0' });
    expect([missing.status, missing.json().error_type]).toEqual([404, 'NotFoundError']);
    const name = await sdk('/obj/create', anObject('bad name!', 1));
    expect([name.status, name.json()]).toEqual([422, { reason: expect.any(String), error_type: 'InvalidFieldError' }]);
    const note = await sdk('/feedback/create', aNote({ payload: {} }));
    expect([note.status, note.json().error_type]).toEqual([400, 'InvalidRequest']);
    const elsewhere = await sdk('/objs/query', { project_id: 'globex/x' });
    expect([elsewhere.status, elsewhere.json()]).toEqual([403, { reason: 'Forbidden' }]);
  });

  it('recodes what happens to items of queues', async () => {
    const { id } = (await sdk('/annotation_queues', { project_id, name: 'q', scorer_refs: [] })).json();
    await sdk(`/annotation_queues/${id}/items`, { project_id, call_ids: ['c1'], display_fields: [] });
    const { items } = (await sdk(`/annotation_queues/${id}/items/query`, { project_id })).json();
    const move = async (item: string, annotation_state: string) => {
      const moved = await sdk(`/annotation_queues/${id}/items/${item}/progress`, { project_id, annotation_state });
      return [moved.status, moved.json()];
    };
    expect((await move(items[0].id, 'completed'))[0]).toBe(200);
    expect(await move(items[0].id, 'skipped')).toEqual([
      400,
      {
        reason:
          "Invalid state transition from 'completed' to 'skipped'. Only transitions from 'in_progress' or 'unstarted' are allowed.",
        error_type: 'InvalidRequest',
      },
    ]);
    expect(await move('none', 'skipped')).toEqual([
      400,
      { reason: `Queue item 'none' not found in queue '${id}'`, error_type: 'InvalidRequest' },
    ]);
  });

  it('resolves internal refs of projects that the caller may read', async () => {
    const [{ internal_project_id: id }] = (await sdk('/service/projects_info', { project_ids: [PROJECT] })).json();
    const read = async (project: string) => {
      const holder = anObject('holder', { ref: `weave-trace-internal:///${project}/object/thing:v0` });
      const { status, json } = await sdk('/obj/create', holder);
      return [status, json()];
    };
    expect(await read(id)).toEqual([200, expect.anything()]);
    const held = await client.post('/obj/read', { project_id, object_id: 'holder', digest: 'latest' });
    expect(held.json().obj.val).toEqual({ ref: 'hone:///acme/demo/object/thing:v0' });
    for (const other of [Buffer.from('globex/x').toString('base64url'), 'nothing', ''])
      expect(await read(other)).toEqual([400, { reason: expect.any(String), error_type: 'InvalidRequest' }]);
  });

  it('gives a value with refs one digest, whichever surface it comes by', async () => {
    const val = (scheme: string) => ({
      n: 1.5,
      of: `${scheme}:///acme/demo/object/x:v0`,
      in: [`${scheme}:///acme/demo/call/c1`],
    });
    const own = (await client.post('/obj/create', anObject('both', val('hone')))).json();
    const theirs = (await sdk('/obj/create', anObject('both', val('weave')))).json();
    expect(theirs.digest).toBe(own.digest);
    const rows = (scheme: string) => ({ table: { project_id, rows: [val(scheme)] } });
    const table = (await client.post('/table/create', rows('hone'))).json();
    expect((await sdk('/table/create', rows('weave'))).json()).toEqual(table);
    const { objs } = (await client.post('/objs/query', { project_id, filter: { object_ids: ['both'] } })).json();
    expect(objs).toMatchObject([{ digest: own.digest, val: val('hone') }]);
  });

  it('stores numbers that are none as null, and hashes them as Python prints them', async () => {
    const text = JSON.stringify(anObject('odd', { n: 'NUMBER' })).replace('"NUMBER"', '[NaN,-Infinity,1.0]');
    const { digest } = (await sdk('/obj/create', text)).json();
    expect(digest).toBe('cX6nlQ2do8M65yrPM1uRQX3kop29wQWUA4I0hNXTXp4');
    const read = await client.post('/obj/read', { project_id, object_id: 'odd', digest });
    expect(read.text).toContain('"val":{"n":[null,null,1.0]}');
    expect((await client.post('/obj/create', text)).status).toBe(422);
  });

  it('says of projects that all is kept as it is sent', async () => {
    expect((await sdk('/project/ingest_sampling_settings/read', { project_id })).json()).toEqual({
      ...{ sample_rate: 1, dry_run: false },
    });
    const sensitive = await client.get(`${AT}/project/sensitive_data_settings?project_id=acme/demo`);
    expect(sensitive.json()).toEqual({ policy: 'off' });
  });

  it('leaves out columns that it does not know', async () => {
    const columns = ['op_name', 'wb_username', 'summary.weave.status', 'inputs.q'];
    const { text } = await sdk('/calls/stream_query', { project_id, columns, filter: { call_ids: ['c1'] } });
    expect(JSON.parse(text)).toEqual({
      ...{ id: 'c1', project_id, op_name: 'weave:///acme/demo/op/predict:v0' },
      ...{ 'summary.weave.status': 'success', 'inputs.q': '2+2' },
    });
  });

  it.each(['/otel/v1/traces', '/agents/otel/v1/traces'])('passes spans by %s on as they are', async (path) => {
    const span = {
      ...{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'weave:///a' },
      ...{ startTimeUnixNano: '1768471140000000000', endTimeUnixNano: '1768471141000000000' },
    };
    const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
    const headers = { 'wandb-api-key': trace.writer.key, project_id };
    const exported = await trace.as(undefined).post(AT + path, body, { headers });
    expect([exported.status, exported.text]).toEqual([200, '{}']);
    const { text } = await client.post('/calls/stream_query', { project_id, columns: ['op_name'] });
    expect(text).toContain('weave:///a');
    expect((await trace.as(undefined).post(AT + path, body)).status).toBe(401);
  });

  it('names prices as the SDKs do', async () => {
    const costs = { m: { prompt_token_cost: 1, completion_token_cost: 2, prompt_token_cost_unit: 'USD' } };
    expect((await sdk('/cost/create', { project_id, costs, wb_user_id: null })).status).toBe(200);
    const $expr = { $in: [{ $getField: 'llm_id' }, [{ $literal: 'm' }]] };
    const { results } = (await sdk('/cost/query', { project_id, query: { $expr } })).json();
    expect(results).toMatchObject([{ llm_id: 'm', prompt_token_cost: 1 }]);
  });

  it('deletes the versions that a list in the body names', async () => {
    await sdk('/v2/acme/demo/scorers', { name: 'exact', op_source_code: 'def score(): pass' });
    await sdk('/v2/acme/demo/scorers', { name: 'exact', op_source_code: 'def score(): return 1' });
    const gone = await client.delete(`${AT}/v2/acme/demo/scorers/exact`, ['v0']);
    expect([gone.status, gone.json()]).toEqual([200, { num_deleted: 1 }]);
  });

  it('answers statistics under the names of the SDKs', async () => {
    const usage = { m: { prompt_tokens: 10, completion_tokens: 4, requests: 2 } };
    await client.post('/v2/acme/demo/calls/complete', {
      batch: [
        aWholeCall('counted', {
          started_at: '2025-03-01T00:00:00Z',
          ended_at: '2025-03-01T00:00:01Z',
          exception: 'no',
          summary: { usage },
        }),
      ],
    });
    const price = { prompt_token_cost: 1, completion_token_cost: 2, effective_date: '2025-01-01T00:00:00Z' };
    await sdk('/cost/create', { project_id, costs: { m: price } });
    const day = { start: '2025-03-01T00:00:00Z', end: '2025-03-02T00:00:00Z', granularity: 86_400 };
    const asked = { usage_metrics: [{ metric: 'input_tokens' }], call_metrics: [{ metric: 'latency_ms' }] };
    const timestamp = '2025-03-01T00:00:00.000Z';
    expect((await sdk('/calls/stats', { project_id, ...day, ...asked })).json()).toEqual({
      ...{ start: timestamp, end: '2025-03-02T00:00:00.000Z', granularity: 86_400, timezone: 'UTC' },
      call_buckets: [
        {
          ...{ timestamp, count: 1, sum_call_count: 1, count_call_count: 1, sum_error_count: 1 },
          ...{ avg_latency_ms: 1_000, p50_latency_ms: 1_000, p95_latency_ms: 1_000, p99_latency_ms: 1_000 },
        },
      ],
      usage_buckets: [
        {
          ...{ timestamp, model: 'm', count: 2, sum_input_tokens: 10, sum_output_tokens: 4, sum_total_tokens: 14 },
          ...{ avg_input_tokens: 5, avg_output_tokens: 2, avg_total_tokens: 7, sum_total_cost: 18, avg_total_cost: 9 },
        },
      ],
    });
    const sizes = (await sdk('/project/stats', { project_id })).json();
    expect(sizes).toMatchObject({
      trace_storage_size_bytes: expect.any(Number),
      files_storage_size_bytes: expect.any(Number),
      tables_storage_size_bytes: expect.any(Number),
    });
  });

  it('compares evaluation runs under the names of the SDKs', async () => {
    const post = async (path: string, body: object) => (await sdk(`/v2/acme/compared/${path}`, body)).json();
    const { evaluation_run_id: run } = await post('evaluation_runs', {
      evaluation: 'weave:///acme/compared/object/e:v0',
      model: 'weave:///acme/compared/object/m:v0',
    });
    const { prediction_id: trial } = await post('predictions', {
      ...{ model: 'weave:///acme/compared/object/m:v0', inputs: { inputs: 1 }, output: { output: 2 } },
      evaluation_run_id: run,
    });
    const scorer = 'weave:///acme/compared/object/output:v0';
    const { score_id } = await post('scores', { prediction_id: trial, scorer, value: { scores: 1 } });
    const { rows } = await post('eval_results/query', { evaluation_run_ids: [run] });
    const [[name, value]] = Object.entries(rows[0].evaluations[0].trials[0].scores) as [[string, unknown]];
    // What a client stored keeps its names, whatever they are.
    expect([name, value]).toEqual([expect.stringContaining('output'), { scores: 1 }]);
    expect(rows).toMatchObject([
      {
        raw_data_row: { inputs: 1 },
        evaluations: [
          {
            evaluation_call_id: run,
            trials: [
              { predict_and_score_call_id: trial, model_output: { output: 2 }, scorer_call_ids: { [name]: score_id } },
            ],
          },
        ],
      },
    ]);
  });

  it('filters evaluation runs by refs that are joined by commas', async () => {
    const post = async (path: string, body: object) => (await sdk(`/v2/acme/demo/${path}`, body)).json();
    const { evaluation_ref: evaluation } = await post('evaluations', {
      name: 'e',
      dataset: 'weave:///acme/demo/object/d:v0',
    });
    const models: string[] = [];
    for (const name of ['m1', 'm2', 'm3']) {
      const { model_ref: model } = await post('models', { name, source_code: 'pass' });
      expect(model).toMatch(/^weave:/);
      await post('evaluation_runs', { evaluation, model });
      models.push(model);
    }
    const filter = `evaluation_refs=${encodeURIComponent(evaluation)}&model_refs=${encodeURIComponent(models.slice(1).join(','))}`;
    const { status, text } = await client.get(`${AT}/v2/acme/demo/evaluation_runs?${filter}`);
    const runs = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([status, runs.map(({ model }: { model: string }) => model)]).toEqual([200, models.slice(1)]);
  });

  it('stores odd calls rather than lose them', async () => {
    const start = {
      ...{ project_id, id: 'odd', op_name: `\0${'x'.repeat(600)}`, started_at: '2026-01-15T09:59:00Z' },
      ...{ attributes: null, inputs: null, thread_id: '', parent_id: '', wb_run_step: 1.5, trace_id: 'y'.repeat(200) },
    };
    const end = { project_id, id: 'odd', ended_at: '2026-01-15T09:59:01Z', exception: '\ud800', summary: null };
    const batch = [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ];
    expect((await sdk('/call/upsert_batch', { batch })).status).toBe(200);
    expect((await client.post('/call/read', { project_id, id: 'odd' })).json().call).toMatchObject({
      ...{ op_name: `\ufffd${'x'.repeat(511)}`, exception: '\ufffd', thread_id: null, parent_id: null, run_step: null },
      ...{ attributes: {}, inputs: {}, summary: { hone: { status: 'error' } } },
    });
  });
});
