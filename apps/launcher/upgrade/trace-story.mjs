export const PROJECT = 'local/old';
const CALL = 'hone:///local/old/call/c1';

/** Calls, feedback, objects. */
export async function trace(post) {
  await post('/call/upsert_batch', {
    batch: ['c1', 'c2', 'c3'].flatMap((id) => [
      {
        mode: 'start',
        req: {
          start: {
            ...{ project_id: PROJECT, id, op_name: 'answer', started_at: '2026-01-15T09:59:00.123456Z' },
            ...{ attributes: { env: 'test' }, inputs: { q: `What is ${id}?`, big: 1e21 } },
          },
        },
      },
      {
        mode: 'end',
        req: { end: { project_id: PROJECT, id, ended_at: '2026-01-15T09:59:01Z', output: '5 ✓', summary: {} } },
      },
    ]),
  });
  await post('/v2/local/old/calls/complete', {
    batch: [
      {
        ...{ id: 'w1', op_name: 'hone:///local/old/op/add:v0', trace_id: 't1', thread_id: 'th', display_name: 'sum' },
        ...{ started_at: '2026-01-15T10:00:00Z', ended_at: '2026-01-15T10:00:02Z', attributes: {} },
        ...{ inputs: { odd: '\u0000', of: 'hone:///local/old/object/prompt:v0' }, output: { n: 1e-7 } },
        summary: { usage: { m: { requests: 1, prompt_tokens: 7, completion_tokens: 3 } } },
      },
    ],
  });
  await post('/call/end', { end: { project_id: PROJECT, id: 'late', ended_at: '2026-01-15T10:00:05Z', summary: {} } });
  await post('/call/start', {
    start: {
      ...{ project_id: PROJECT, id: 'open', parent_id: 'w1', trace_id: 't1', op_name: 'add' },
      ...{ started_at: '2026-01-15T10:00:01Z', attributes: {}, inputs: { large: 'é'.repeat(200_000) } },
    },
  });
  const effective_date = '2026-01-01T00:00:00Z';
  await post('/cost/create', {
    ...{ project_id: PROJECT, costs: { m: { prompt_token_cost: 1e-6, completion_token_cost: 2e-6, effective_date } } },
  });
  await post('/project/ttl_settings/update', { project_id: PROJECT, retention_days: 36_500 });
  const feedback = (id, feedback_type, payload, more = {}) => ({
    ...{ id, project_id: PROJECT, trace_ref: CALL, feedback_type, payload },
    ...more,
  });
  await post('/feedback/create', feedback('f1', 'quality', { score: 0.1, deep: { list: [1, 2.5, null, 'é\u0001'] } }));
  await post('/feedback/batch/create', {
    batch: [
      feedback('f2', 'hone.reaction.1', { emoji: '👎🏽' }),
      feedback('f3', 'hone.note.1', { note: 'off by one' }),
      feedback('f4', 'quality', { score: 1 }, { scorer_ratings: { overall: 1, tone: 0.5 }, creator: 'someone' }),
    ],
  });
  for (const val of [{ text: 'Add.', temperature: 1.0 }, { text: 'Add. Think.', n: 1e21 }, 'plain', [1, [2, [3]]]])
    await post('/obj/create', { obj: { project_id: PROJECT, object_id: 'prompt', val } });
  const source_code = 'class Model:\n    pass\n';
  await post('/v2/local/old/models', { name: 'Adder', source_code, attributes: { temperature: 0.2 } });
  await post('/v2/local/old/evaluations', { name: 'sums', dataset: 'hone:///local/old/object/questions:latest' });
}

/** Queues: one with what annotators did, one with a lease. @returns the id of the first */
export async function annotate(post) {
  const { id } = await post('/annotation_queues', { project_id: PROJECT, name: 'to check' });
  const items = `/annotation_queues/${id}/items`;
  await post(items, { project_id: PROJECT, call_ids: ['c1', 'c2', 'c3'], display_fields: ['inputs.q', 'output'] });
  const found = await post(`${items}/query`, { project_id: PROJECT });
  for (const [at, annotation_state] of ['in_progress', 'completed'].entries())
    await post(`${items}/${found.items[at].id}/progress`, { project_id: PROJECT, annotation_state });
  const limits = { reviewers_per_item: 2, lease_seconds: 86_400 };
  const leased = await post('/annotation_queues', { project_id: PROJECT, name: 'on a lease', ...limits });
  await post(`/annotation_queues/${leased.id}/items`, { project_id: PROJECT, call_ids: ['w1'] });
  await post(`/annotation_queues/${leased.id}/items/claim`, { project_id: PROJECT });
  return id;
}

/** Runs of an evaluation, one finished, and a span of OpenTelemetry. @returns the id of the finished run */
export async function evaluate(post) {
  const base = '/v2/local/old';
  await post(`${base}/scorers`, { name: 'exact', op_source_code: 'def score(output): return True\n' });
  await post(`${base}/datasets`, { name: 'questions', rows: [{ q: '2+2', n: 1.0 }, { q: '3+3' }] });
  const refs = { evaluation: 'hone:///local/old/object/sums:v0', model: 'hone:///local/old/object/adder:v0' };
  const { evaluation_run_id } = await post(`${base}/evaluation_runs`, refs);
  const prediction = { model: refs.model, inputs: { q: '2+2' }, output: '4', evaluation_run_id };
  const { prediction_id } = await post(`${base}/predictions`, prediction);
  await post(`${base}/scores`, {
    prediction_id,
    scorer: 'hone:///local/old/object/exact:v0',
    value: 1.0,
    evaluation_run_id,
  });
  await post(`${base}/evaluation_runs/${evaluation_run_id}/finish`, { summary: { exact: { mean: 1.0 } } });
  await post(`${base}/evaluation_runs`, refs);
  const span = {
    traceId: 'ab'.repeat(16),
    spanId: 'cd'.repeat(8),
    name: 'chat m',
    startTimeUnixNano: '1768471140123456789',
  };
  const attributes = [{ key: 'session.id', value: { stringValue: 'talk' } }];
  const resourceSpans = [
    { scopeSpans: [{ spans: [{ ...span, endTimeUnixNano: '1768471141000000001', attributes }] }] },
  ];
  await post('/otel/v1/traces', { resourceSpans }, { 'hone-project': PROJECT });
  return evaluation_run_id;
}

/** What objects and feedback have beside their values: labels, rows, history. */
export async function keep(post, put) {
  const project_id = PROJECT;
  await post('/table/create', {
    table: {
      project_id,
      rows: [
        { q: '2+2', a: 4.0 },
        { q: '3+3', a: 6 },
      ],
    },
  });
  await put('/objs/prompt/versions/v1/tags', { project_id, tags: ['good'] });
  await put('/objs/prompt/aliases', { project_id, digest: 'v0', aliases: ['released'] });
  await put('/objs/prompt/aliases', { project_id, digest: 'v1', aliases: ['released'], protected: true });
  await post('/obj/delete', { project_id, object_id: 'prompt', digests: ['v3'] });
  const replaced = { id: 'f5', project_id, trace_ref: CALL, feedback_type: 'quality', payload: { score: 0.5 } };
  await post('/feedback/create', replaced);
  await post('/feedback/replace', {
    ...replaced,
    id: 'f6',
    feedback_id: 'f5',
    payload: { score: 1.0 },
    reason: 'slip',
  });
  const extra = {
    ...replaced,
    id: 'f7',
    trace_ref: undefined,
    weave_ref: 'weave:///local/old/call/c1',
    span_agent_name: 'a',
  };
  await post('/compat/weave/feedback/create', extra);
}
