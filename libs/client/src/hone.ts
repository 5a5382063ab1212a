import type {
  ChatCompletionChunk,
  ChatCompletionRequestDto,
  MessagesRequestDto,
  ResponsesRequestDto,
} from '@hone/contracts';

import { ACCOUNTS, type AccountsEndpoints } from './endpoints/accounts.generated.js';
import { EVALUATION, type EvaluationEndpoints } from './endpoints/evaluation.generated.js';
import { INFERENCE, type InferenceEndpoints } from './endpoints/inference.generated.js';
import { TRACE, type TraceEndpoints } from './endpoints/trace.generated.js';
import { TRAINING, type TrainingEndpoints } from './endpoints/training.generated.js';
import { followTrainingJob, type TrainingJobUpdate } from './follow-training-job.js';
import { type AnswerEvent, streamChat, streamMessage, streamResponse } from './stream-answers.js';
import { toMethods } from './transport/methods.js';
import type { HoneOptions, RequestOptions } from './transport/request-options.js';
import { Transport } from './transport/transport.js';

/** Chat completions, models, usage and limits. */
export interface Inference extends InferenceEndpoints {
  /** Complete a chat chunk by chunk: `POST /v1/chat/completions`. A stream that broke off throws. */
  streamChatCompletion(
    body: Omit<ChatCompletionRequestDto, 'stream'>,
    options?: RequestOptions,
  ): AsyncIterable<ChatCompletionChunk>;
  /** Create a response event by event: `POST /v1/responses`. A stream that broke off throws. */
  streamResponse(body: Omit<ResponsesRequestDto, 'stream'>, options?: RequestOptions): AsyncIterable<AnswerEvent>;
  /** Create a message event by event: `POST /v1/messages`. A stream that broke off throws. */
  streamMessage(body: Omit<MessagesRequestDto, 'stream'>, options?: RequestOptions): AsyncIterable<AnswerEvent>;
}

/** Models that are trained, their checkpoints, jobs and files. */
export interface Training extends TrainingEndpoints {
  /** Follow a job to its end; goes on where a broken connection left off. */
  followTrainingJob(params: { training_job_id: string }, options?: RequestOptions): AsyncIterable<TrainingJobUpdate>;
}

/**
 * Client of a Hone, whose endpoints are methods, by the names of the OpenAPI document:
 * `hone.trace.createFeedback(body)`, `hone.training.getCheckpoint({ model_id, step })`.
 *
 * Methods take the parameters of path and query if there are any, then the body if there is one, then options. They
 * throw `AnswerError`s for answers that are not 200, `ConnectionError`s, and the reason of the caller's signal.
 */
export class Hone {
  /** Calls, feedback, objects, datasets, evaluations. */
  readonly trace: TraceEndpoints;
  /** Models that are trained, their checkpoints, jobs and files. */
  readonly training: Training;
  /** Chat completions, models, usage and limits. */
  readonly inference: Inference;
  /** Scorers: what judges calls. */
  readonly evaluation: EvaluationEndpoints;
  /** Users, entities, projects and keys. */
  readonly accounts: AccountsEndpoints;

  constructor(options: HoneOptions) {
    const transport = new Transport(options);
    this.trace = toMethods<TraceEndpoints>(transport, TRACE);
    this.evaluation = toMethods<EvaluationEndpoints>(transport, EVALUATION);
    this.accounts = toMethods<AccountsEndpoints>(transport, ACCOUNTS);
    this.training = {
      ...toMethods<TrainingEndpoints>(transport, TRAINING),
      followTrainingJob: ({ training_job_id }, own) => followTrainingJob(transport, training_job_id, own),
    };
    this.inference = {
      ...toMethods<InferenceEndpoints>(transport, INFERENCE),
      streamChatCompletion: (body, own) => streamChat(transport, body, own),
      streamResponse: (body, own) => streamResponse(transport, body, own),
      streamMessage: (body, own) => streamMessage(transport, body, own),
    };
  }
}
