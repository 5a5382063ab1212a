/**
 * An independent client that behaves as ART (https://github.com/OpenPipe/ART) does with a serverless backend, and knows
 * nothing of this repository but its HTTP interface: registers a model, samples rollouts from its reference, trains on
 * them, polls the job's events, reads the new step, and goes round again.
 *
 *   ART_API_KEY=... node art-client.mjs '{"trainingUrl": "http://.../v1", "inferenceUrl": "http://.../v1", ...}'
 *
 * Prints one JSON object: what it saw.
 */
const {
  trainingUrl,
  inferenceUrl,
  project = 'art',
  name = 'agent',
  baseModel = 'hone-tiny',
  scheme = 'hone',
  words = ['cat', 'dog'],
  samples = 8,
  rounds = 3,
  trainingConfig = {},
} = JSON.parse(process.argv[2] ?? '{}');

const headers = { authorization: `Bearer ${process.env.ART_API_KEY}`, 'content-type': 'application/json' };

async function request(method, url, body) {
  const response = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${response.status} ${text}`);
  return JSON.parse(text);
}

const training = (method, path, body) => request(method, `${trainingUrl}/preview/${path}`, body);

/** Every item of a list, page after page. */
async function* listAll(path, after = '') {
  for (let cursor = after, more = true; more;) {
    const page = await training('GET', cursor ? `${path}?after=${encodeURIComponent(cursor)}` : path);
    yield* page.data;
    cursor = page.last_id;
    more = page.has_more;
  }
}

/** As Python's float(): anything but a number ends the run. */
function toFloat(value, key) {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`float() of ${key}: ${value}`);
  return value;
}

async function currentStep(modelId) {
  const { data } = await training('GET', `models/${modelId}/checkpoints?limit=1&order=desc`);
  return data[0]?.step ?? 0;
}

async function rollout(model, word, step, seed) {
  const messages = [{ role: 'user', content: `reverse: ${word}` }];
  const completion = await request('POST', `${inferenceUrl}/chat/completions`, {
    model,
    messages,
    temperature: 1,
    seed,
    max_completion_tokens: 24,
    logprobs: true,
    return_token_ids: true,
  });
  const [choice] = completion.choices;
  const isRight = choice.message.content.trim() === [...word].reverse().join('');
  return {
    messages_and_choices: [...messages, choice],
    tools: null,
    additional_histories: [],
    reward: isRight ? 1 : 0,
    initial_policy_version: step,
    final_policy_version: null,
    metrics: { right: isRight },
    metadata: { word },
    logs: [],
    start_time: new Date().toISOString().replace('Z', '123'),
  };
}

/** Trains, and follows the events until the last one, a second apart. */
async function train(modelId, groups) {
  const job = await training('POST', 'training-jobs', {
    model_id: modelId,
    trajectory_groups: groups,
    experimental_config: trainingConfig,
  });
  const steps = [];
  let numSequences;
  let after = '';
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for await (const event of listAll(`training-jobs/${job.id}/events`, after)) {
      if (event.type === 'training_started') numSequences = event.data.num_sequences;
      else if (event.type === 'gradient_step') {
        steps.push(Object.fromEntries(Object.entries(event.data).map(([key, value]) => [key, toFloat(value, key)])));
      } else if (event.type === 'training_ended') return { jobId: job.id, numSequences, steps, ended: event.data };
      else if (event.type === 'training_failed') throw new Error(event.data.error_message);
      else throw new Error(`unknown event ${event.type}`);
      after = event.id;
    }
  }
}

async function playRound(model, ref, round) {
  const step = await currentStep(model.id);
  const groups = await Promise.all(
    words.map(async (word, group) => ({
      trajectories: await Promise.all(
        Array.from({ length: samples }, (_, sample) => rollout(ref, word, step, 1_000 * round + 100 * group + sample)),
      ),
      exceptions: [],
      metadata: {},
      metrics: {},
      logs: [],
    })),
  );
  const rewards = groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward));
  const trained = await train(model.id, groups);
  const logged = await training('POST', `models/${model.id}/log`, { split: 'val', trajectory_groups: groups });
  return { stepBefore: step, stepAfter: await currentStep(model.id), rewards, ...trained, ...logged };
}

const model = await training('POST', 'models', {
  entity: null,
  project,
  name,
  base_model: baseModel,
  return_existing: true,
});
const ref = `${scheme}-artifact:///${model.entity}/${model.project}/${model.name}`;
const played = [];
for (let round = 0; round < rounds; round++) played.push(await playRound(model, ref, round));
const checkpoints = [];
for await (const checkpoint of listAll(`models/${model.id}/checkpoints`)) checkpoints.push(checkpoint);
console.log(JSON.stringify({ model, ref, rounds: played, checkpoints }));
