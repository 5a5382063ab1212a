import { randomInt, randomUUID } from 'node:crypto';

const PREVIEW = '/v1/preview';
const MODELS = 3;

/** Of jobs by examples: what changes the plan, the state between two steps, or what a job makes. */
const OPTIONS = [
  {},
  { checkpoint_every: 10 },
  { n_epochs: 2, lr_schedule: 'cosine', warmup_ratio: 0.1 },
  { validation_fraction: 0.2, validation_every: 5, early_stopping: { patience: 2 }, checkpoint_every: 20 },
  { parent_step: 0, lora: { rank: 4, target_modules: ['q_proj', 'v_proj'] }, seed: 7, weight_decay: 0.1 },
];

const line = (seed) => ({
  messages: [
    { role: 'user', content: `repeat: ${seed % 9}` },
    { role: 'assistant', content: `Aye! ${seed % 9}` },
  ],
});

/** The models that the jobs are about; made once, whatever breaks meanwhile. */
export async function makeModels(caller) {
  const models = [];
  for (let index = 0; index < MODELS; index++) {
    const body = { project: 'faults', name: `model-${index}`, base_model: 'hone-tiny', return_existing: true };
    models.push(await caller.insist('POST', `${PREVIEW}/models`, body));
  }
  return models;
}

/** A job of some steps, by examples or by rewards. */
export async function job(caller, ledger, models) {
  const model = models[randomInt(models.length)];
  await (randomInt(2) ? byExamples : byRewards)(caller, ledger, model);
}

/** One that is asked to end as soon as it is confirmed. */
export async function cancelledJob(caller, ledger, models) {
  const id = await byExamples(caller, ledger, models[0]);
  if (id === undefined) return;
  ledger.sent('cancelled job', id);
  const cancelled = await caller.send('POST', `${PREVIEW}/training-jobs/${id}/cancel`).catch(tooLate);
  if (['cancelling', 'cancelled'].includes(cancelled?.status)) ledger.acknowledged('cancelled job', id);
}

function byExamples(caller, ledger, model) {
  const lines = Array.from({ length: 60 }, (_, seed) => JSON.stringify(line(seed))).join('\n');
  return confirmed(caller, ledger, 'sft-training-jobs', {
    model_id: model.id,
    training_data_url: `data:application/jsonl;base64,${Buffer.from(lines).toString('base64')}`,
    config: { batch_size: 2, learning_rate: 1e-4, ...OPTIONS[randomInt(OPTIONS.length)] },
  });
}

function byRewards(caller, ledger, model) {
  const trajectories = [0, 1].map((reward) => ({
    reward,
    messages_and_choices: [{ role: 'user', content: 'Say something.' }, choiceOf([20 + reward, 30, 40])],
  }));
  const trajectory_groups = Array(8).fill({ trajectories });
  return confirmed(caller, ledger, 'training-jobs', {
    model_id: model.id,
    trajectory_groups,
    experimental_config: { learning_rate: 1e-4 },
  });
}

const choiceOf = (tokenIds) => ({
  message: { role: 'assistant', content: 'Something.' },
  finish_reason: 'stop',
  prompt_token_ids: [11, 12, 13],
  token_ids: tokenIds,
  logprobs: { content: tokenIds.map((id) => ({ token: `token_id:${id}`, logprob: -2 })) },
});

/**
 * Asks until it is confirmed: the key makes it one job.
 *
 * @returns {Promise<string | undefined>} its id
 */
async function confirmed(caller, ledger, path, body) {
  const key = randomUUID();
  ledger.sent('training job', key);
  const made = await caller.insist('POST', `${PREVIEW}/${path}`, body, { 'idempotency-key': key });
  if (!made) return undefined;
  ledger.acknowledged('training job', key, made.id);
  return made.id;
}

/** Trajectories, in a split of their own. */
export async function log(caller, ledger, models) {
  const split = `s-${randomUUID()}`;
  const trajectory = { messages_and_choices: [{ role: 'user', content: 'x' }], reward: 0.5 };
  const body = { split, trajectory_groups: [{ trajectories: [trajectory, trajectory] }] };
  ledger.sent('trajectory log', split);
  const answered = await caller.send('POST', `${PREVIEW}/models/${models[0].id}/log`, body);
  if (answered) ledger.acknowledged('trajectory log', split, answered.logged.trajectories);
}

/** A model that is deleted again, and the oldest checkpoint of another. */
export async function passingModel(caller, ledger, models) {
  const name = randomUUID();
  ledger.sent('trainable model', name);
  const body = { project: 'faults', name, base_model: 'hone-tiny' };
  const model = await caller.send('POST', `${PREVIEW}/models`, body);
  if (model) {
    ledger.acknowledged('trainable model', name);
    ledger.sent('deleted model', name);
    const deleted = await caller.send('DELETE', `${PREVIEW}/models/${model.id}`);
    if (deleted) ledger.acknowledged('deleted model', name);
  }
  await oldestCheckpoint(caller, ledger, models[randomInt(models.length)]);
}

async function oldestCheckpoint(caller, ledger, model) {
  const path = `${PREVIEW}/models/${model.id}/checkpoints`;
  const list = await caller.send('GET', `${path}?limit=2&order=asc`);
  if (!list || list.data.length < 2) return;
  const [{ id, step }] = list.data;
  ledger.sent('deleted checkpoint', id);
  const answer = await caller.send('DELETE', path, { steps: [step] }).catch(tooLate);
  if (answer?.deleted_count === 1) ledger.acknowledged('deleted checkpoint', id);
}

/** A version of an artifact, deleted again. */
export async function artifact(caller, ledger) {
  const name = randomUUID();
  const path = `${PREVIEW}/artifacts/local/faults/${name}`;
  ledger.sent('artifact', name);
  const rows = `${JSON.stringify(line(1))}\n`;
  if (!(await caller.send('POST', path, rows, { 'content-type': 'application/jsonl' }))) return;
  ledger.acknowledged('artifact', name);
  ledger.sent('deleted artifact', name);
  if (await caller.send('DELETE', `${path}/v0`)) ledger.acknowledged('deleted artifact', name);
}

/** The job had ended by itself. */
function tooLate(error) {
  if (!/ 409 /.test(error.message)) throw error;
}

/** The latest checkpoint of one model, downloaded, as the first of another. */
export async function importedCheckpoint(caller, ledger, models) {
  const path = `${PREVIEW}/models/${models[randomInt(models.length)].id}/checkpoints`;
  const list = await caller.send('GET', `${path}?limit=1&order=desc`);
  if (!list?.data.length) return;
  const archive = await caller.bytes('GET', `${path}/${list.data[0].step}/download`).catch(gone);
  if (!archive) return;
  const name = randomUUID();
  const body = { project: 'faults', name, base_model: 'hone-tiny', return_existing: true };
  const model = await caller.insist('POST', `${PREVIEW}/models`, body);
  if (!model) return;
  ledger.sent('imported checkpoint', name);
  const headers = { 'content-type': 'application/gzip', 'idempotency-key': name };
  const made = await caller.insist('POST', `${PREVIEW}/models/${model.id}/checkpoints/import`, archive, headers);
  if (made) ledger.acknowledged('imported checkpoint', name);
}

/** It was deleted in between. */
function gone(error) {
  if (!/ 404 /.test(error.message)) throw error;
}
