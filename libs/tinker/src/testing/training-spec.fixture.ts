import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  planLines,
  type PlannedSequence,
  type PreferenceConfigInput,
  resolvePreferenceConfig,
  resolveRlConfig,
  type TrainingSpec,
} from '@hone/engine';

/** Gradient steps of the jobs below. */
export const ROWS = 12;
const SEQUENCE: PlannedSequence = { ids: [5, 6, 7], mask: [0, 1, 1], old: [NaN, -1, -1], adv: 1, weight: 1 };
const PAIR: readonly PlannedSequence[] = [
  { ...SEQUENCE, old: null, adv: null, role: 'chosen' },
  { ...SEQUENCE, ids: [5, 6, 8], old: null, adv: null, role: 'rejected' },
];

/** A job by rewards with {@link ROWS} equal rows, which writes into a new folder in `folder`. */
export function aTrainingSpec(
  folder: string,
  more: Partial<TrainingSpec> = {},
  {
    validation = [],
    sequences = [SEQUENCE],
  }: { validation?: readonly PlannedSequence[]; sequences?: readonly PlannedSequence[] } = {},
): TrainingSpec {
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    row,
    sequences,
    numTrajectories: 1,
    learningRate: 1e-3,
    staleness: null,
  }));
  const text = [...planLines({ rows, validation })].map((line) => `${line}\n`).join('');
  const output = mkdtempSync(join(folder, 'out-'));
  const plan = join(output, 'plan.jsonl');
  writeFileSync(plan, text);
  return {
    spec_version: 1,
    job_id: 'job',
    attempt: 1,
    kind: 'rl',
    seed: 1,
    base_model: 'hone-tiny',
    parent: null,
    reference: null,
    plan: {
      uri: pathToFileURL(plan).href,
      sha256: createHash('sha256').update(text).digest('hex'),
      num_sequences: ROWS,
    },
    loss: resolveRlConfig({}),
    optimiser: { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0, max_grad_norm: 1, learning_rate_factor: 1 },
    lora: { r: 8, alpha: 16, target_modules: [] },
    lora_asked: null,
    resume: null,
    output_prefix: pathToFileURL(output).href,
    resume_every: { steps: 5, seconds: 1_000 },
    checkpoint_every: null,
    validation: null,
    ...more,
  };
}

/** A job by examples with a validation sequence, which ends after so many evaluations without a lower loss. */
export const aStoppingSpec = (folder: string, patience: number): TrainingSpec =>
  aTrainingSpec(
    folder,
    { kind: 'sft', loss: null, validation: { every: 1, early_stopping: { patience, min_delta: 0 } } },
    { validation: [SEQUENCE] },
  );

/** A job that learns from pairs, by `method`. */
export const aPairsSpec = (
  folder: string,
  method: PreferenceConfigInput['method'],
  more: Partial<TrainingSpec>,
): TrainingSpec =>
  aTrainingSpec(
    folder,
    { kind: 'preference', loss: null, preference: resolvePreferenceConfig({ method }), ...more },
    { sequences: PAIR },
  );
