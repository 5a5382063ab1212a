import { setTimeout as sleep } from 'node:timers/promises';

const PROJECT = 'local/old';
const CALL = 'hone:///local/old/call/c1';
const ROWS_APART = { packed_sequence_length: 16, learning_rate: 1e-3 };

/** Fills a Hone with every kind of data that it stores. @returns what later steps need to know */
export async function tellStory(hone) {
  const { post, put } = clientOf(hone);
  await trace(post);
  const queue = await annotate(post);
  await accounts(post, put);
  const models = await train(hone);
  await put('/v1/usage/limits?project=local/old', { requests_per_minute: 1_000, monthly_budget_usd: 25.5 });
  await post('/v1/chat/completions', chat('hone-tiny', 'repeat: cat'), { 'Hone-Project': PROJECT });
  await sleep(2_000); // usage reaches the database
  return { queue, ...models };
}

async function trace(post) {
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

async function annotate(post) {
  const { id } = await post('/annotation_queues', { project_id: PROJECT, name: 'to check' });
  const items = `/annotation_queues/${id}/items`;
  await post(items, { project_id: PROJECT, call_ids: ['c1', 'c2', 'c3'], display_fields: ['inputs.q', 'output'] });
  const found = await post(`${items}/query`, { project_id: PROJECT });
  for (const [at, annotation_state] of ['in_progress', 'completed'].entries())
    await post(`${items}/${found.items[at].id}/progress`, { project_id: PROJECT, annotation_state });
  return id;
}

async function accounts(post, put) {
  await post('/account/users', { username: 'ada' });
  await post('/account/entities', { name: 'team' });
  await put('/account/entities/local/members/ada', { role: 'annotator' });
  await post('/account/projects', { entity: 'local', name: 'empty' });
  await post('/account/api-keys', { username: 'ada', label: 'laptop', scopes: ['trace'] });
}

/** A model trained by examples, then by rewards, and one that got a checkpoint of it as an adapter. */
async function train(hone) {
  const { post, download } = clientOf(hone);
  const newModel = (project, name) => post('/v1/preview/models', { project, name, base_model: 'hone-tiny' });
  const { id: model } = await newModel('old', 'ada');
  const { id: openModel } = await newModel('open', 'eve');
  const lines = Array.from({ length: 8 }, (_, at) => ({
    messages: [
      { role: 'user', content: `repeat: w${at}` },
      { role: 'assistant', content: `w${at} w${at}` },
    ],
  }));
  const { url } = await post(
    '/v1/preview/artifacts/local/old/lines',
    lines.map((line) => JSON.stringify(line)).join('\n'),
  );
  const sft = await post('/v1/preview/sft-training-jobs', {
    ...{ model_id: model, training_data_url: url, config: { batch_size: 4, learning_rate: 1e-3 } },
  });
  await endsAs('succeeded', hone, sft.id);
  const rl = await post('/v1/preview/training-jobs', {
    ...{ model_id: model, trajectory_groups: groups(3), experimental_config: ROWS_APART },
  });
  await endsAs('succeeded', hone, rl.id);
  const broken = await post('/v1/preview/artifacts/local/old/broken', 'no JSON\n');
  const failed = await post('/v1/preview/sft-training-jobs', { model_id: model, training_data_url: broken.url });
  await endsAs('failed', hone, failed.id);
  await post(`/v1/preview/models/${model}/log`, { split: 'val', trajectory_groups: groups(2) });
  const { id: imported } = await newModel('old', 'mia');
  const adapter = await download(`/v1/preview/models/${model}/checkpoints/1/download`);
  await post(`/v1/preview/models/${imported}/checkpoints/import`, adapter, { 'content-type': 'application/gzip' });
  return { model, openModel, imported, jobs: [sft.id, rl.id, failed.id] };
}

/**
 * Leaves a job with a resume point, one in the queue, and the usage of an answer in the gateway's journal only: its
 * process is killed before it wrote it to the database.
 *
 * @param {(service: string) => Promise<void>} kill
 */
export async function leaveWorkOpen(hone, { openModel }, kill) {
  const { get, post } = clientOf(hone);
  const job = { model_id: openModel, trajectory_groups: groups(60), experimental_config: ROWS_APART };
  const running = await post('/v1/preview/training-jobs', job);
  for (let steps = 0; steps < 20; await sleep(20)) {
    const { progress, status } = await get(`/v1/preview/training-jobs/${running.id}`);
    if (!['queued', 'preparing', 'running'].includes(status)) throw new Error(`The job is ${status}.`);
    steps = progress.gradient_steps_done;
  }
  await kill('trainer');
  const queued = await post('/v1/preview/training-jobs', { ...job, trajectory_groups: groups(2) });
  await post('/v1/chat/completions', chat('hone-tiny', 'repeat: dog'), { 'Hone-Project': 'local/empty' });
  await kill('inference-gateway');
  return { openJobs: [running.id, queued.id], journalledProject: 'local/empty' };
}

/** Requests whose answers must stay as they are, with their answers. */
export async function answersOf(hone, { queue, model, imported, jobs }) {
  const { ask } = clientOf(hone);
  const project_id = PROJECT;
  const jobPaths = jobs.flatMap((id) => [`/v1/preview/training-jobs/${id}`, `/v1/preview/training-jobs/${id}/events`]);
  const requests = [
    ['POST', '/feedback/query', { project_id }],
    [
      'POST',
      '/feedback/query',
      { project_id, fields: ['id', 'payload.score'], sort_by: [{ field: 'id', direction: 'asc' }] },
    ],
    ['POST', '/objs/query', { project_id, include_storage_size: true, include_tags_and_aliases: true }],
    ['POST', '/objs/query', { project_id, filter: { latest_only: true }, metadata_only: true }],
    ['POST', `/annotation_queues/${queue}/items/query`, { project_id }],
    ['POST', '/calls/stream_query', { project_id, include_costs: true, include_storage_size: true }],
    ['POST', '/call/read', { project_id, id: 'w1', include_costs: true }],
    ['POST', '/calls/usage', { project_id, call_ids: ['w1'], include_costs: true }],
    ['POST', '/threads/stream_query', { project_id }],
    ['POST', '/cost/query', { project_id }],
    ['POST', '/project/ttl_settings/read', { project_id }],
    ['GET', '/v2/local/old/models/adder/versions/latest'],
    ['GET', '/v1/preview/models?project=old'],
    ['GET', `/v1/preview/models/${model}`],
    ['GET', `/v1/preview/models/${model}/checkpoints`],
    ['GET', `/v1/preview/models/${model}/trajectories`],
    ['GET', `/v1/preview/models/${imported}/checkpoints`],
    ['GET', `/v1/preview/models/${imported}/checkpoints/1/files/manifest.json`],
    ['GET', '/v1/preview/artifacts?project=old'],
    ...jobPaths.map((path) => ['GET', path]),
    ['GET', '/v1/usage/limits?project=local/old'],
    ['GET', '/v1/usage?project=local/old&from=2026-01-01T00:00:00Z&to=2035-12-31T00:00:00Z'],
    ['GET', `/v1/models/${encodeURIComponent('hone-artifact:///local/old/ada:step1')}`],
    ['POST', '/v1/chat/completions', chat('hone-artifact:///local/old/ada:step1', 'repeat: w1')],
    ['POST', '/v1/chat/completions', chat('hone-artifact:///local/old/ada:step2', 'repeat: w1')],
    ['POST', '/v1/chat/completions', chat('hone-artifact:///local/old/mia:step1', 'repeat: w1')],
    ['GET', '/account/me'],
    ['GET', '/account/users'],
    ['GET', '/account/entities'],
    ['GET', '/account/projects'],
  ];
  const answers = [];
  for (const [method, path, body] of requests) answers.push({ method, path, body, ...(await ask(method, path, body)) });
  return answers;
}

const chat = (model, content) => ({ model, messages: [{ role: 'user', content }], temperature: 0, max_tokens: 16 });

async function endsAs(expected, hone, id) {
  for (;;) {
    const { status, error } = await clientOf(hone).get(`/v1/preview/training-jobs/${id}`);
    if (status === expected) return;
    if (['succeeded', 'failed', 'cancelled'].includes(status)) throw new Error(`${status}: ${JSON.stringify(error)}`);
    await sleep(100);
  }
}

/** Groups of two made-up answers, one better than the other. */
const groups = (count) =>
  Array.from({ length: count }, (_, group) => ({
    trajectories: [0, 1].map((reward) => ({
      reward,
      messages_and_choices: [{ role: 'user', content: 'Say something.' }, choice(group, reward)],
    })),
  }));

function choice(group, reward) {
  const ids = Array.from({ length: 7 }, (_, at) => 10 + ((group * 17 + reward * 29 + at * 3) % 400));
  return {
    message: { role: 'assistant', content: 'Something.' },
    finish_reason: 'stop',
    prompt_token_ids: [11, 12, 13, 14, 15],
    token_ids: ids,
    logprobs: { content: ids.map((id) => ({ token: `token_id:${id}`, logprob: -2 - (id % 5) / 10 })) },
  };
}

/** Requests to a Hone with a key, Basic or Bearer as the path asks; `ask` returns any status, the others the JSON of a 2xx. */
export function clientOf({ url, key }) {
  const isTrace = (path) =>
    /^\/(feedback|obj|objs|call|calls|cost|project|trace|threads|annotation_queues|v2)\b/.test(path);
  const authorization = (path) =>
    isTrace(path) ? `Basic ${Buffer.from(`api:${key}`).toString('base64')}` : `Bearer ${key}`;
  async function ask(method, path, body, headers = {}) {
    const isText = typeof body === 'string';
    const isRaw = isText || Buffer.isBuffer(body);
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: authorization(path),
        ...(body !== undefined && { 'content-type': isText ? 'application/jsonl' : 'application/json' }),
        ...headers,
      },
      body: body === undefined || isRaw ? body : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }
  async function download(path) {
    const response = await fetch(url + path, { headers: { authorization: authorization(path) } });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }
  async function json(...request) {
    const { status, text } = await ask(...request);
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${text}`);
    return JSON.parse(text);
  }
  return {
    ask,
    download,
    get: (path) => json('GET', path),
    post: (path, body, headers) => json('POST', path, body, headers),
    put: (path, body) => json('PUT', path, body),
  };
}
