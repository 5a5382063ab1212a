import type { DiagnosisDto, TrainingDataDto, TrainingJobDto } from '@hone/client';

import { hone } from '../../../shared/data/hone.js';
import type { Project } from '../../../shared/data/project.js';
import {
  type DatasetRef,
  readTrainingLines,
  toArtifactName,
  type TrainingKind,
} from '../../../shared/datasets/training-data.js';

/** What a job learns from: rewards, examples, pairs of a better and a worse answer, or liked and disliked answers. */
export type JobKind = TrainingKind;
export type DataSource = 'calls' | 'dataset' | 'file' | 'url';

/** A version of a dataset, and where its rows are. */
export interface ChosenDataset extends DatasetRef {
  /** Digest of the table with its rows; null: it names none. */
  readonly table: string | null;
}

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
  readonly dataset: ChosenDataset | null;
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
  /** Data that is there now, for the job to read; null: its data is made with the job. */
  readonly ready: ReadyData | null;
}

/** Data that a job can read. */
export interface ReadyData {
  readonly url: string;
  /** Of a dataset: how many of its rows are lines. */
  readonly rows?: { readonly used: number; readonly all: number };
}

/**
 * Says what the job would train. Nothing is trained; a file or the rows of a dataset are uploaded, as only the server can
 * read them.
 */
export async function tryOut(project: Project, order: JobOrder): Promise<Forecast> {
  if (order.source === 'calls') {
    const data = await hone.training.makeTrainingData({ ...callsBody(project, order), dry_run: true });
    return { data, diagnosis: data.diagnosis, ready: null };
  }
  const ready = await makeReady(project, order);
  return { data: null, diagnosis: await ROUTES[order.kind].diagnose(jobBody(order, ready.url)), ready };
}

/** Makes the data where it has to be made, and the job. @param ready of a dry run of the same order */
export async function train(project: Project, order: JobOrder, ready: ReadyData | null): Promise<TrainingJobDto> {
  const { url } = ready ?? (await makeReady(project, order));
  return ROUTES[order.kind].create(jobBody(order, url));
}

type JobBody = ReturnType<typeof jobBody>;

interface JobRoutes {
  readonly create: (body: JobBody) => Promise<TrainingJobDto>;
  readonly diagnose: (body: JobBody) => Promise<DiagnosisDto>;
}

const PREFERENCES: JobRoutes = {
  create: (body) => hone.training.createPreferenceTrainingJob(body),
  diagnose: (body) => hone.training.diagnosePreferenceTrainingJob(body),
};

const ROUTES: Readonly<Record<JobKind, JobRoutes>> = {
  rl: {
    create: (body) => hone.training.createTrainingJob(body),
    diagnose: (body) => hone.training.diagnoseTrainingJob(body),
  },
  sft: {
    create: (body) => hone.training.createSftTrainingJob(body),
    diagnose: (body) => hone.training.diagnoseSftTrainingJob(body),
  },
  pairs: PREFERENCES,
  thumbs: PREFERENCES,
};

async function makeReady(project: Project, order: JobOrder): Promise<ReadyData> {
  switch (order.source) {
    case 'url':
      return { url: order.url };
    case 'file':
      return { url: await upload(project, order.name, order.file as File) };
    case 'dataset':
      return fromDataset(project, order.dataset, order.kind);
    case 'calls':
      return { url: (await hone.training.makeTrainingData(callsBody(project, order))).url as string };
  }
}

const upload = async ({ entity, name: project }: Project, name: string, lines: Blob): Promise<string> =>
  (await hone.training.uploadArtifact({ entity, project, name }, lines)).url;

/** @throws Error no row is a line */
async function fromDataset(project: Project, dataset: ChosenDataset | null, kind: JobKind): Promise<ReadyData> {
  if (dataset === null || dataset.table === null) throw new Error('This dataset names no rows.');
  const { lines, rows: all } = await readTrainingLines(project, dataset.table, kind);
  if (lines.length === 0) throw new Error(`None of the ${all} rows can be learned from: ${NEEDED[kind]}.`);
  const url = await upload(project, toArtifactName(dataset), new Blob([...lines], { type: 'application/jsonl' }));
  return { url, rows: { used: lines.length, all } };
}

const NEEDED: Readonly<Record<JobKind, string>> = {
  sft: 'a row needs “messages”, or “inputs.messages” and the “output” that answers them',
  rl: 'a row needs “trajectories”',
  pairs: 'a row needs “chosen” and “rejected”, and “messages” or “prompt” that they answer',
  thumbs: 'a row needs “completion” and “label” (true or false), and “messages” or “prompt” that it answers',
};

const callsBody = (project: Project, { kind, name, modelId, minReward }: JobOrder) => ({
  entity: project.entity,
  project: project.name,
  name,
  kind: kind === 'pairs' ? ('preference' as const) : kind,
  model_id: modelId,
  source: {},
  ...(kind === 'sft' && minReward !== null && { accept: { min_reward: minReward } }),
});

const jobBody = ({ kind, modelId, settings }: JobOrder, url: string) => ({
  model_id: modelId,
  training_data_url: url,
  ...(kind === 'rl'
    ? { experimental_config: settings }
    : { config: kind === 'thumbs' ? { method: 'kto', ...settings } : settings }),
});
