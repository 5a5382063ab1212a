import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { planLines, type PlannedSequence, resolveRlConfig, type TrainingSpec } from '@hone/engine';

/** Gradient steps of the jobs below. */
export const ROWS = 12;
const SEQUENCE: PlannedSequence = { ids: [5, 6, 7], mask: [0, 1, 1], old: [NaN, -1, -1], adv: 1, weight: 1 };

/** A job by rewards with {@link ROWS} equal rows, which writes into a new folder in `folder`. */
export function aTrainingSpec(
  folder: string,
  more: Partial<TrainingSpec> = {},
  validation: readonly PlannedSequence[] = [],
): TrainingSpec {
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    row,
    sequences: [SEQUENCE],
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
    [SEQUENCE],
  );
