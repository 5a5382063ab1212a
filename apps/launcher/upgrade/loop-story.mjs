import { setTimeout as sleep } from 'node:timers/promises';

const LOOP = 'local/loop';
const MODEL = 'hone-artifact:///local/loop/kit';
const THUMBS = ['👍', '👎'];

/**
 * Chats with a trained model that are judged, learned from, and put into production; a browser that is signed in. What
 * asks for answers afterwards is not kept.
 *
 * @param client of `clientOf`
 * @param {(id: string) => Promise<void>} untilSucceeded of a job
 */
export async function learn({ get, post, put, signIn }, untilSucceeded) {
  const { id: model } = await post('/v1/preview/models', { project: 'loop', name: 'kit', base_model: 'hone-tiny' });
  const calls = [];
  for (const question of ['repeat: ox', 'repeat: elk']) {
    for (const [seed, emoji] of THUMBS.entries()) {
      const { id } = await post('/v1/chat/completions', chat(question, { seed, temperature: 1 }));
      const judged = { project_id: LOOP, completion_id: id, feedback_type: 'hone.reaction.1', payload: { emoji } };
      await post('/feedback/create', judged);
      calls.push(id.slice('chatcmpl-'.length));
    }
  }
  for (let count = 0; count < calls.length; await sleep(100))
    ({ count } = await post('/calls/query_stats', { project_id: LOOP }));
  const source = { filter: { call_ids: calls } };
  const { url } = await post('/v1/preview/training-data/from-calls', {
    project: 'loop',
    name: 'thumbs',
    kind: 'rl',
    source,
  });
  const { id: job } = await post('/v1/preview/training-jobs', { model_id: model, training_data_url: url });
  await untilSucceeded(job);
  await put(`/v1/preview/models/${model}/aliases/production`, { step: 1, if_step: null });
  const { last_id: checkpoint } = await get(`/v1/preview/models/${model}/checkpoints?limit=1&order=desc`);
  for (const project_id of [LOOP, 'local/old'])
    await post('/project/call_logging/update', { project_id, log_calls: 'off' });
  return { model, job, checkpoint, calls, session: await signIn() };
}

/** Requests whose answers must stay as they are. */
export const loopRequests = ({ model, job, checkpoint, calls }) => [
  ['POST', '/calls/stream_query', { project_id: LOOP, include_feedback: true }],
  ['POST', '/call/read', { project_id: LOOP, id: calls[0] }],
  ['GET', `/calls/${calls[0]}/used-in?project_id=${encodeURIComponent(LOOP)}`],
  ['POST', '/project/call_logging/read', { project_id: LOOP }],
  ['GET', `/v1/preview/training-jobs/${job}`],
  ['GET', '/v1/preview/artifacts?project=loop'],
  ['GET', `/v1/preview/training-data?project=loop&contains_call=${calls[1]}`],
  ['GET', `/v1/preview/checkpoints/${checkpoint}/lineage`],
  ['GET', `/v1/preview/models/${model}/aliases`],
  ['GET', `/v1/models/${encodeURIComponent(`${MODEL}:production`)}`],
  ['POST', '/v1/chat/completions', chat('repeat: ox', { model: `${MODEL}:production`, temperature: 0 })],
];

const chat = (content, more) => ({ model: MODEL, messages: [{ role: 'user', content }], max_tokens: 16, ...more });
