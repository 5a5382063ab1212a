import type { Hone, SftJobCreateDto } from '@hone/client';

type SftConfig = NonNullable<SftJobCreateDto['config']>;

/** A model in training by examples, each of which is a part of some seconds of steps. @returns ids of model and job */
export async function startTraining(
  hone: Hone,
  name: string,
  examples = 40,
  config: SftConfig = {},
): Promise<{ model: string; job: string }> {
  const place = { entity: 'local', project: 'default' };
  const { id: model } = await hone.training.createTrainableModel({ ...place, name, base_model: 'hone-tiny' });
  const messages = [
    { role: 'user', content: 'Who are you?' },
    { role: 'assistant', content: 'I am Ada, your tutor.' },
  ];
  const lines = `${JSON.stringify({ messages })}\n`.repeat(examples);
  const { url } = await hone.training.uploadArtifact({ ...place, name }, lines);
  const { id: job } = await hone.training.createSftTrainingJob({ model_id: model, training_data_url: url, config });
  return { model, job };
}

/** The same once it has ended, its checkpoint as `production`. */
export async function train(
  hone: Hone,
  name: string,
  examples: number,
  config: SftConfig = {},
): Promise<{ model: string; job: string }> {
  const { model, job } = await startTraining(hone, name, examples, config);
  await untilEnded(hone, job);
  await hone.training.putCheckpointAlias({ model_id: model, alias: 'production' }, { step: 1 });
  return { model, job };
}

/** Trains the model on its own answers to a question, the shorter the better. @returns id of the job */
export async function trainByRewards(hone: Hone, model: string): Promise<string> {
  const { inference_name } = await hone.training.getTrainableModel({ model_id: model });
  const prompt = { role: 'user' as const, content: 'Say something about the weather.' };
  const sampling = { n: 6, temperature: 1.3, seed: 1, max_tokens: 16, logprobs: true };
  const { choices } = await hone.inference.createChatCompletion({
    ...sampling,
    model: inference_name,
    messages: [prompt],
  });
  const trajectories = choices.map((choice) => ({
    messages_and_choices: [prompt, choice],
    reward: Math.round(1_000 / (1 + (choice.message.content ?? '').length)) / 100,
  }));
  const flat = trajectories.map((one) => ({ ...one, reward: 1 }));
  const { id: job } = await hone.training.createTrainingJob({
    model_id: model,
    trajectory_groups: [{ trajectories }, { trajectories: flat }],
  });
  await untilEnded(hone, job);
  return job;
}

async function untilEnded(hone: Hone, job: string): Promise<void> {
  const updates = hone.training.followTrainingJob({ training_job_id: job });
  for await (const update of updates)
    if (update.kind === 'event' && update.event.type === 'training_failed') throw new Error('The job failed.');
}
