import { setTimeout as sleep } from 'node:timers/promises';

import { judge, judgingRequests, leaveJudging } from './judging-story.mjs';
import { learn, loopRequests } from './loop-story.mjs';
import { annotate, evaluate, keep, PROJECT, trace } from './trace-story.mjs';

const ROWS_APART = { packed_sequence_length: 16, learning_rate: 1e-3 };

/** Fills a Hone with every kind of data that it stores. @returns what later steps need to know */
export async function tellStory(hone) {
  const client = clientOf(hone);
  const { post, put } = client;
  await trace(post);
  const queue = await annotate(post);
  const run = await evaluate(post);
  await keep(post, put);
  await accounts(post, put);
  const models = await train(hone);
  await put('/v1/usage/limits?project=local/old', { requests_per_minute: 1_000, monthly_budget_usd: 25.5 });
  // A project of its own: what asks for answers below is booked as well, some seconds later.
  await post('/v1/chat/completions', chat('hone-tiny', 'repeat: cat'), { 'Hone-Project': 'local/used' });
  const loop = await learn(client, (id) => endsAs('succeeded', hone, id));
  const judging = await judge(client);
  await sleep(2_000); // usage reaches the database
  return { queue, run, ...models, loop, judging };
}

async function accounts(post, put) {
  await post('/account/users', { username: 'ada' });
  await post('/account/entities', { name: 'team' });
  await put('/account/entities/local/members/ada', { role: 'annotator' });
  await post('/account/projects', { entity: 'local', name: 'empty' });
  await post('/account/projects', { entity: 'local', name: 'used' });
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
 * Leaves a job with a resume point, one in the queue, and an answer's usage and call in the gateway's journal only: its
 * process is killed before it wrote it to the database.
 *
 * @param {(service: string) => Promise<void>} kill
 */
export async function leaveWorkOpen(hone, { openModel, loop }, kill) {
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
  const openScoring = await leaveJudging({ get, post }, kill);
  await kill('inference-gateway');
  return {
    openScoring,
    openJobs: [running.id, queued.id],
    journalledProject: 'local/empty',
    journalledCalls: 1,
    session: loop.session,
  };
}

/** Requests whose answers must stay as they are, with their answers. */
export async function answersOf(hone, { queue, run, model, imported, jobs, loop, judging }) {
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
    ['GET', '/v2/local/old/evaluation_runs'],
    ['GET', `/v2/local/old/predictions?evaluation_run_id=${run}`],
    ['GET', `/v2/local/old/scores?evaluation_run_id=${run}`],
    ['POST', '/v2/local/old/eval_results/query', { evaluation_run_ids: [run] }],
    ['GET', '/v2/local/old/scorers'],
    ['GET', '/v2/local/old/datasets'],
    ['POST', '/annotation_queues/query', { project_id }],
    ['GET', `/tags?project_id=${project_id}`],
    ['GET', `/aliases?project_id=${project_id}`],
    ['POST', '/obj/read', { project_id, object_id: 'prompt', digest: 'released' }],
    ['POST', '/feedback/history', { project_id, id: 'f6' }],
    ['POST', '/compat/weave/feedback/query', { project_id }],
    ['POST', '/project/stats', { project_id }],
    ['GET', '/v1/preview/models?project=old'],
    ['GET', `/v1/preview/models/${model}`],
    ['GET', `/v1/preview/models/${model}/checkpoints`],
    ['GET', `/v1/preview/models/${model}/trajectories`],
    ['GET', `/v1/preview/models/${imported}/checkpoints`],
    ['GET', `/v1/preview/models/${imported}/checkpoints/1/files/manifest.json`],
    ['GET', '/v1/preview/artifacts?project=old'],
    ...jobPaths.map((path) => ['GET', path]),
    ...loopRequests(loop),
    ...judgingRequests(judging),
    ['GET', '/v1/usage/limits?project=local/old'],
    ['GET', '/v1/usage?project=local/used&from=2026-01-01T00:00:00Z&to=2035-12-31T00:00:00Z'],
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
    /^\/(feedback|obj|objs|call|calls|cost|project|table|tags|aliases|trace|threads|otel|compat|annotation_queues|v2)\b/.test(
      path,
    );
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
  /** The cookie of a browser that signs in with the key. */
  async function signIn() {
    const response = await fetch(`${url}/account/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`POST /account/sessions: ${response.status}`);
    return response.headers.getSetCookie()[0].split(';')[0];
  }
  return {
    ask,
    download,
    signIn,
    get: (path) => json('GET', path),
    post: (path, body, headers) => json('POST', path, body, headers),
    put: (path, body) => json('PUT', path, body),
  };
}
