import { pathToFileURL } from 'node:url';

import type { LoraConfig, PreferenceConfig, PreferenceLossConfig, StoredPart, TrainingSpec } from '@hone/engine';
import type { PlanDraft } from '@hone/training-jobs';

import type { ResolvedJob } from '../planning/resolved-job.js';

const ADAM = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8 };
const LORA = {
  rank: 8,
  alpha: 16,
  target_modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
};
/** Time between resume points: an attempt that resumes repeats no more work than this. */
const RESUME_EVERY = { steps: 10, seconds: 60 };

/** The local files that a job is trained from. Null: it starts from the base model, or without a resume point. */
export interface SpecFiles {
  readonly parent: StoredPart | null;
  readonly reference: StoredPart | null;
  readonly planPath: string;
  readonly resume: (StoredPart & { readonly k: number }) | null;
  readonly outputDirectory: string;
}

/** A claimed and planned job as the engine takes it. */
export function toTrainingSpec(
  { job, baseModel, settings }: ResolvedJob,
  plan: PlanDraft,
  files: SpecFiles,
): TrainingSpec {
  const lines = settings.kind === 'rl' ? null : settings.config;
  const { seed, weight_decay, max_grad_norm, lora, checkpoint_every } = settings.config;
  return {
    spec_version: 1,
    job_id: job.id,
    attempt: job.attempt,
    kind: job.kind,
    seed,
    base_model: baseModel,
    parent: files.parent,
    reference: files.reference,
    plan: { uri: pathToFileURL(files.planPath).href, sha256: plan.sha256, num_sequences: plan.numSequences },
    loss: settings.kind === 'rl' ? settings.config : null,
    ...(settings.kind === 'preference' && { preference: preferenceOf(settings.config) }),
    optimiser: { ...ADAM, weight_decay, max_grad_norm, learning_rate_factor: plan.learningRateScale },
    lora: {
      r: lora?.rank ?? LORA.rank,
      alpha: lora?.alpha ?? LORA.alpha,
      target_modules: lora?.target_modules ?? LORA.target_modules,
      ...variantOf(lora),
    },
    lora_asked: lora && {
      ...{ r: lora.rank, alpha: lora.alpha, target_modules: lora.target_modules },
      ...variantOf(lora),
    },
    resume: files.resume,
    output_prefix: pathToFileURL(files.outputDirectory).href,
    resume_every: RESUME_EVERY,
    checkpoint_every,
    validation: lines && { every: lines.validation_every, early_stopping: lines.early_stopping },
  };
}

/** Jobs from before there were these options have none. */
const variantOf = (lora: Partial<LoraConfig> | null) => ({
  use_rslora: lora?.use_rslora ?? null,
  rank_pattern: lora?.rank_pattern ?? null,
  alpha_pattern: lora?.alpha_pattern ?? null,
});

const preferenceOf = ({
  method,
  beta,
  label_smoothing,
  lambda,
  reference,
}: PreferenceConfig): PreferenceLossConfig => ({ method, beta, label_smoothing, lambda, reference });
