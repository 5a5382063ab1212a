import { randomUUID } from 'node:crypto';

const PREVIEW = '/v1/preview';
const MODELS = 3;

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

/** A job of some steps, asked for until it is confirmed: the key makes it one job. */
export async function job(caller, ledger, models) {
  const key = randomUUID();
  const model = models[key.charCodeAt(0) % models.length];
  const lines = Array.from({ length: 60 }, (_, seed) => JSON.stringify(line(seed))).join('\n');
  const body = {
    model_id: model.id,
    training_data_url: `data:application/jsonl;base64,${Buffer.from(lines).toString('base64')}`,
    config: { batch_size: 2, learning_rate: 1e-4 },
  };
  ledger.sent('training job', key);
  const made = await caller.insist('POST', `${PREVIEW}/sft-training-jobs`, body, { 'idempotency-key': key });
  if (made) ledger.acknowledged('training job', key, made.id);
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
