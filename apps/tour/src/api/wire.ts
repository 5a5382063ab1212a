import type { TrainingJobEventType, TrainingJobStatus } from '@hone/contracts';

/** What the tour reads of the answers; they hold more. */

export interface TrainableModel {
  readonly id: string;
  readonly entity: string;
  readonly name: string;
  /** What chat completions call it. */
  readonly inference_name: string;
}

export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
}

export interface Choice {
  readonly index: number;
  readonly message: { readonly role: string; readonly content: string | null };
  readonly finish_reason: string;
  readonly logprobs: { readonly content: readonly TokenLogprob[] } | null;
  readonly token_ids?: readonly number[];
}

export interface ChatCompletion {
  /** `chatcmpl-` and the id of its call. */
  readonly id: string;
  readonly model: string;
  readonly choices: readonly Choice[];
  readonly prompt_token_ids?: readonly number[];
}

export interface TrainingJob {
  readonly id: string;
  readonly status: TrainingJobStatus;
  readonly progress: { readonly gradient_steps_done: number; readonly gradient_steps_total: number | null };
  /** Milliseconds. */
  readonly timings_ms: { readonly preparing: number; readonly running: number };
  readonly produced_checkpoint: { readonly id: string; readonly step: number } | null;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

export interface JobEvent {
  readonly id: string;
  readonly type: TrainingJobEventType;
  readonly data: Readonly<Record<string, number | string>>;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly last_id: string;
  readonly has_more: boolean;
}
