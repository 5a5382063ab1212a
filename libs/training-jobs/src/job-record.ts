import type {
  TrainingJobKind as JobKind,
  TrainingJobPhase as JobPhase,
  TrainingJobStatus as JobStatus,
} from '@hone/contracts';

import type { JobError } from './job-error.js';
import type { TrainingStartedData } from './job-events.js';

// Rows hold the words of the wire.
export type { JobKind, JobPhase, JobStatus };

/** A payload in the artifact store. */
export interface StoredInput {
  readonly uri: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Absent: not known yet. */
export interface JobTokens {
  /** Tokens of all planned sequences. */
  readonly input?: number;
  /** Trained tokens among them. */
  readonly trainable?: number;
  /** Tokens of the rows trained so far. */
  readonly processed?: number;
}

/** Counts of the input and of its trained part. All but the first two are known when the job is planned. */
export interface JobData {
  readonly groups_submitted?: number;
  readonly trajectories?: number;
  readonly groups_trainable?: number;
  readonly trajectories_trained?: number;
  /** Reason -> how many trajectories (SFT: lines) it left out. */
  readonly dropped?: Readonly<Record<string, number>>;
  /** Reward statistics of all trajectories that were sent. Absent: not planned yet, none was sent, or fine-tuning. */
  readonly reward_mean?: number;
  readonly reward_std_dev?: number;
  readonly reward_zero_share?: number;
  /** Absent: the rollouts were sent, or none has been sampled yet. */
  readonly rollouts?: RolloutCounts;
  /** What the plan of the current round says. Absent: the job has no rounds, or none is planned yet. */
  readonly round?: { readonly started: TrainingStartedData; readonly tokens_before: number };
}

/** How a job samples and grades its own rollouts, everything fixed at create. */
export interface RolloutSettings {
  /** As it was sent. */
  readonly prompts_url: string;
  readonly scorers: readonly { readonly scorer: string; readonly criterion: string; readonly weight: number }[];
  /** Answers to a prompt, which are one group. */
  readonly n: number;
  readonly prompts_per_round: number;
  /** Null: one pass over the prompts. */
  readonly rounds: number | null;
  readonly sampling: { readonly temperature: number; readonly top_p: number; readonly max_tokens: number };
  /** Null: no limit. */
  readonly max_cost_usd: number | null;
  readonly seed: number;
}

/** What a job has sampled and graded so far. */
export interface RolloutCounts {
  /** Prompts with a settled group, refused ones included. */
  readonly prompts: number;
  readonly answers: number;
  /** Answers with a reward. */
  readonly graded: number;
  /** Code -> answers without a reward. */
  readonly failures: Readonly<Record<string, number>>;
  readonly costNanoUsd: number;
  /** Rounds in all; null: not known yet. */
  readonly rounds: number | null;
  /** Of the answers of the last round that was planned; null: there is none, or it has no reward. */
  readonly lastRewardMean: number | null;
}

/** A warning for the author of a job, which trains nevertheless. */
export interface JobWarning {
  /** For example `config.unknown_key`. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  /** Path into the body that was sent. */
  readonly loc: readonly string[];
}

/** One training operation. Times are the database's. */
export interface TrainingJobRecord {
  readonly id: string;
  readonly projectId: string;
  readonly modelId: string;
  /** Jobs of a model run in this order. */
  readonly ordinal: bigint;
  readonly kind: JobKind;
  readonly status: JobStatus;
  /** Current phase of its worker; null: no worker holds the job. */
  readonly phase: JobPhase | null;
  /** The settings in effect, defaults filled in. */
  readonly config: Readonly<Record<string, unknown>>;
  /** SFT: `experimental_config`, stored unread. */
  readonly extraConfig: Readonly<Record<string, unknown>> | null;
  /** Null: the rollouts were sent, or it learns from examples. */
  readonly rollouts: RolloutSettings | null;
  /** The key in whose name rollouts are sampled and graded. */
  readonly keyId: string | null;
  /** Rounds of rollouts that have been trained. */
  readonly roundsDone: number;
  /** Gradient steps of these rounds. */
  readonly roundBase: number;
  /** As it was sent; null: the input is the body of a job, with its trajectory groups. */
  readonly trainingDataUrl: string | null;
  /** The artifact version fixed at create. */
  readonly dataVersionId: string | null;
  /** SFT: the artifact version of the validation data. */
  readonly validationVersionId: string | null;
  /** SFT: the copied `data:` lines of the validation data. */
  readonly validationInput: StoredInput | null;
  /** The stored trajectory groups, or the copied `data:` lines. */
  readonly input: StoredInput | null;
  readonly plan: { readonly uri: string; readonly sha256: string } | null;
  /** Gradient steps to come in all; null: not planned yet. */
  readonly numSequences: number | null;
  /** Factor of the learning rate, fixed with the plan. */
  readonly learningRateScale: number | null;
  readonly stepsDone: number;
  /** Number of attempts. */
  readonly attempt: number;
  readonly failures: number;
  readonly leaseOwner: string | null;
  readonly leaseExpiresAt: Date | null;
  readonly availableAt: Date;
  readonly queueDeadlineAt: Date;
  /** Null: never claimed. */
  readonly runDeadlineAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly cancelRequestedBy: string | null;
  readonly resume: { readonly uri: string; readonly sha256: string; readonly step: number } | null;
  /** Null: the base, or not known yet. */
  readonly parentId: string | null;
  /** 0: the base; null: not known yet. */
  readonly parentStep: number | null;
  /** Checkpoint that the KL penalty measures from; null: the base, or none. */
  readonly referenceId: string | null;
  readonly producedId: string | null;
  readonly producedStep: number | null;
  readonly tokens: JobTokens;
  readonly data: JobData;
  /** Means over the gradient steps, once it has succeeded. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly warnings: readonly JobWarning[];
  readonly error: JobError | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** When it last became queued. */
  readonly queuedAt: Date;
  /** First claim. */
  readonly startedAt: Date | null;
  /** First gradient step could begin. */
  readonly runningAt: Date | null;
  readonly finishedAt: Date | null;
}
