import type { DiagnosisDto, TrainingDataDto, TrainingJobDto } from '@hone/client';

import { hone } from '../../../shared/data/hone.js';
import type { Project } from '../../../shared/data/project.js';

export type JobKind = 'rl' | 'sft';
export type DataSource = 'calls' | 'file' | 'url';

/** A job as somebody puts it together. */
export interface JobOrder {
  readonly kind: JobKind;
  readonly modelId: string;
  readonly source: DataSource;
  /** Of judged calls: name of the data that is made of them. */
  readonly name: string;
  /** Of judged calls, fine-tuning: least reward of an answer; null: any answer. */
  readonly minReward: number | null;
  readonly file: File | null;
  /** Of data that is there. */
  readonly url: string;
  /** Settings of the job; what is absent has the server's default. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a dry run says. */
export interface Forecast {
  /** Of judged calls: what became of them. */
  readonly data: TrainingDataDto | null;
  /** What the job would train. Null: nothing could be said before its data is made. */
  readonly diagnosis: DiagnosisDto | null;
}

/** Says what the job would train. Nothing is trained; a file is uploaded, as only the server can read it. */
export async function tryOut(project: Project, order: JobOrder): Promise<Forecast> {
  if (order.source === 'calls') {
    const data = await hone.training.makeTrainingData({ ...callsBody(project, order), dry_run: true });
    return { data, diagnosis: data.diagnosis };
  }
  const body = jobBody(order, await urlOf(project, order));
  const diagnosis =
    order.kind === 'rl'
      ? await hone.training.diagnoseTrainingJob(body)
      : await hone.training.diagnoseSftTrainingJob(body);
  return { data: null, diagnosis };
}

/** Makes the data where it has to be made, and the job. */
export async function train(project: Project, order: JobOrder): Promise<TrainingJobDto> {
  const body = jobBody(order, await urlOf(project, order));
  return order.kind === 'rl' ? hone.training.createTrainingJob(body) : hone.training.createSftTrainingJob(body);
}

async function urlOf(project: Project, order: JobOrder): Promise<string> {
  const place = { entity: project.entity, project: project.name };
  switch (order.source) {
    case 'url':
      return order.url;
    case 'file':
      return (await hone.training.uploadArtifact({ ...place, name: order.name }, order.file as File)).url;
    case 'calls':
      return (await hone.training.makeTrainingData(callsBody(project, order))).url as string;
  }
}

const callsBody = (project: Project, { kind, name, modelId, minReward }: JobOrder) => ({
  ...{ entity: project.entity, project: project.name, name, kind, model_id: modelId, source: {} },
  ...(kind === 'sft' && minReward !== null && { accept: { min_reward: minReward } }),
});

const jobBody = ({ kind, modelId, settings }: JobOrder, url: string) => ({
  ...{ model_id: modelId, training_data_url: url },
  ...(kind === 'rl' ? { experimental_config: settings } : { config: settings }),
});
