import type { Hone } from '@hone/client';

/** A model in training by examples, each of which is a part of some seconds of steps. @returns ids of model and job */
export async function startTraining(hone: Hone, name: string, examples = 40): Promise<{ model: string; job: string }> {
  const place = { entity: 'local', project: 'default' };
  const { id: model } = await hone.training.createTrainableModel({ ...place, name, base_model: 'hone-tiny' });
  const messages = [
    { role: 'user', content: 'Who are you?' },
    { role: 'assistant', content: 'I am Ada, your tutor.' },
  ];
  const lines = `${JSON.stringify({ messages })}\n`.repeat(examples);
  const { url } = await hone.training.uploadArtifact({ ...place, name }, lines);
  const { id: job } = await hone.training.createSftTrainingJob({ model_id: model, training_data_url: url });
  return { model, job };
}

/** The same once it has ended, its checkpoint as `production`. */
export async function train(hone: Hone, name: string, examples: number): Promise<{ model: string; job: string }> {
  const { model, job } = await startTraining(hone, name, examples);
  const updates = hone.training.followTrainingJob({ training_job_id: job });
  for await (const update of updates)
    if (update.kind === 'event' && update.event.type === 'training_failed') throw new Error('The job failed.');
  await hone.training.putCheckpointAlias({ model_id: model, alias: 'production' }, { step: 1 });
  return { model, job };
}
