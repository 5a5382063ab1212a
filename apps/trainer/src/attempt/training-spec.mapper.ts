import { pathToFileURL } from 'node:url';

import { resolveRlConfig, type StoredPart, type TrainingSpec } from '@hone/engine';
import type { ClaimedJob, PlanDraft } from '@hone/training-jobs';

const SEED = 3407;
const ADAM = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8 };
const OPTIMISERS = {
  rl: { ...ADAM, weight_decay: 0.1, max_grad_norm: 0.1 },
  sft: { ...ADAM, weight_decay: 0, max_grad_norm: 1 },
};
const LORA = {
  r: 8,
  alpha: 16,
  target_modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
};
/** An attempt repeats no more than this. */
const RESUME_EVERY = { steps: 10, seconds: 60 };

/** The local files that a job is trained from; null: the base model, or no resume point. */
export interface SpecFiles {
  readonly parent: StoredPart | null;
  readonly reference: StoredPart | null;
  readonly planPath: string;
  readonly resume: (StoredPart & { readonly k: number }) | null;
  readonly outputDirectory: string;
}

/** A claimed and planned job as the engine takes it. */
export function toTrainingSpec({ job, baseModel }: ClaimedJob, plan: PlanDraft, files: SpecFiles): TrainingSpec {
  return {
    spec_version: 1,
    job_id: job.id,
    attempt: job.attempt,
    kind: job.kind,
    seed: SEED,
    base_model: baseModel,
    parent: files.parent,
    reference: files.reference,
    plan: { uri: pathToFileURL(files.planPath).href, sha256: plan.sha256, num_sequences: plan.numSequences },
    loss: job.kind === 'rl' ? resolveRlConfig(job.config) : null,
    optimiser: { ...OPTIMISERS[job.kind], learning_rate_factor: plan.learningRateScale },
    lora: LORA,
    resume: files.resume,
    output_prefix: pathToFileURL(files.outputDirectory).href,
    resume_every: RESUME_EVERY,
  };
}
