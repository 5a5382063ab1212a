import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { TrainingJobKind } from '@hone/contracts';
import {
  planLines,
  type PlannedSequence,
  type PlanRow,
  type PreferenceConfigInput,
  type PreferenceRole,
  resolvePreferenceConfig,
  resolveRlConfig,
  type RlConfigInput,
  type TrainingSpec,
} from '@hone/engine';

import type { EngineUnderTest } from './engine-under-test.js';

const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, learning_rate_factor: 1 };

/** What an attempt may differ in. */
export type Changes = Partial<
  Pick<
    TrainingSpec,
    | 'attempt'
    | 'parent'
    | 'reference'
    | 'resume'
    | 'lora'
    | 'lora_asked'
    | 'base_model'
    | 'resume_every'
    | 'checkpoint_every'
    | 'validation'
  >
>;

/** A reinforcement learning job over stored rows. */
export async function anRlSpec(
  subject: EngineUnderTest,
  rows: readonly PlanRow[],
  config: RlConfigInput = {},
  changes: Changes = {},
): Promise<TrainingSpec> {
  const optimiser = { ...OPTIMISER, weight_decay: 0.1, max_grad_norm: 0.1 };
  return { ...(await aSpec(subject, rows, changes)), kind: 'rl', loss: resolveRlConfig(config), optimiser };
}

/** A fine-tuning job over stored rows. */
export async function anSftSpec(
  subject: EngineUnderTest,
  rows: readonly PlanRow[],
  changes: Changes = {},
  validation: readonly PlannedSequence[] = [],
): Promise<TrainingSpec> {
  const optimiser = { ...OPTIMISER, weight_decay: 0, max_grad_norm: 1 };
  return { ...(await aSpec(subject, rows, changes, validation)), kind: 'sft', loss: null, optimiser };
}

/** A job that learns from preferences over stored rows. */
export async function aPreferenceSpec(
  subject: EngineUnderTest,
  config: PreferenceConfigInput,
  changes: Changes = {},
): Promise<TrainingSpec> {
  const { method, beta, label_smoothing, lambda, reference } = resolvePreferenceConfig(config);
  const roles: readonly PreferenceRole[] =
    method === 'kto' ? ['desirable', 'undesirable', 'mismatched', 'mismatched'] : ['chosen', 'rejected'];
  const rows = someRows(5, subject.vocabSize, 'preference').map((row) => ({
    ...row,
    sequences: roles.map((role, at) => ({ ...(row.sequences[at % 2] as PlannedSequence), role })),
  }));
  // The second epoch of the last rows.
  const repeated = rows.map((row, at) =>
    at < 3 ? row : { ...row, repeats: at - 3, sequences: rows[at - 3]!.sequences },
  );
  const optimiser = { ...OPTIMISER, weight_decay: 0, max_grad_norm: 1 };
  const preference = { method, beta, label_smoothing, lambda, reference };
  return { ...(await aSpec(subject, repeated, changes)), kind: 'preference', loss: null, preference, optimiser };
}

async function aSpec(
  { folder, baseModel }: EngineUnderTest,
  rows: readonly PlanRow[],
  changes: Changes,
  validation: readonly PlannedSequence[] = [],
): Promise<Omit<TrainingSpec, 'kind' | 'loss' | 'optimiser'>> {
  const output = join(folder, randomUUID());
  await mkdir(output, { recursive: true });
  const plan = join(output, 'plan.jsonl');
  const text = [...planLines({ rows, validation })].map((line) => `${line}\n`).join('');
  await writeFile(plan, text);
  return {
    spec_version: 1,
    job_id: randomUUID(),
    attempt: 1,
    seed: 3407,
    base_model: baseModel,
    parent: null,
    reference: null,
    plan: {
      uri: pathToFileURL(plan).href,
      sha256: createHash('sha256').update(text).digest('hex'),
      num_sequences: rows.length,
    },
    lora: {
      r: 8,
      alpha: 16,
      target_modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
    },
    lora_asked: null,
    resume: null,
    output_prefix: pathToFileURL(output).href,
    resume_every: { steps: 10, seconds: 60 },
    checkpoint_every: null,
    validation: null,
    ...changes,
  };
}

/** Rows of made-up sequences, the same each time. */
export function someRows(count: number, vocabSize: number, kind: TrainingJobKind = 'rl'): PlanRow[] {
  return Array.from({ length: count }, (_, row) => ({
    row,
    numTrajectories: 2,
    learningRate: 1e-3,
    staleness: null,
    sequences: [12, 17].map((length, index) => ({
      ids: Array.from({ length }, (_id, at) => (row * 31 + index * 17 + at * 7 + 3) % vocabSize),
      mask: Array.from({ length }, (_bit, at) => (at >= 6 ? 1 : 0) as 0 | 1),
      old: kind === 'rl' ? Array.from({ length }, (_lp, at) => (at >= 6 ? -5 - at / 10 : NaN)) : null,
      adv: kind === 'rl' ? (index === 0 ? 1 : -1) : null,
      weight: 1,
    })),
  }));
}
