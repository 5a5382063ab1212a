import { isJsonObject, type JsonObject, type JsonValue, memberOf, stringifyJson } from '@hone/contracts';
import type { PromptLine } from '@hone/engine';
import { tryParseJson } from '@hone/json';
import { ServiceRefusedError } from '@hone/service-client';
import type { Lease, ModelNames, RolloutSettings } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { ServiceCalls } from './service-calls.js';

const NANO = 1e9;
const MAX_SEED = 2_147_483_647;

/** What is sampled for one group. */
export interface SampleOrder {
  readonly lease: Lease;
  readonly names: ModelNames;
  readonly keyId: string;
  readonly settings: RolloutSettings;
  readonly prompt: PromptLine;
  readonly round: number;
  readonly position: number;
  /** Step of the checkpoint that answers; 0: the base. */
  readonly step: number;
  readonly signal: AbortSignal;
}

/** The answers to a prompt, as choices of trajectories. */
export interface Sampled {
  readonly choices: readonly JsonObject[];
  /** Ref of their call; null: the project keeps none. */
  readonly call: string | null;
  readonly costNanoUsd: number;
  /** Why the gateway refused the prompt; null: it did not. */
  readonly refused: string | null;
}

/** Samples answers from a checkpoint, through the gateway, as any caller. */
@Injectable()
export class Sampler {
  constructor(private readonly calls: ServiceCalls) {}

  /** @throws as {@link ServiceCalls.ask}, but for a prompt that is refused */
  async sample(order: SampleOrder): Promise<Sampled> {
    const { lease, names, keyId, round, position, signal } = order;
    const body = stringifyJson(bodyOf(order));
    const metadata = { user: `hone.rollouts:${lease.jobId}`, 'hone.training_job': lease.jobId, 'hone.round': round };
    try {
      const { text, headers } = await this.calls.ask('Sampling', (attempt) => ({
        ...{ keyId, body, signal },
        headers: {
          'x-request-id': `rollout.${lease.jobId}.${round}.${position}.${lease.attempt}.${attempt}`,
          'hone-project': toHeader(names.projectId),
          'hone-metadata': toHeader(stringifyJson(metadata)),
        },
      }));
      return {
        choices: choicesOf(tryParseJson(text) ?? null),
        call: fromHeader(headers.get('hone-call')),
        costNanoUsd: Math.round(Number(headers.get('hone-cost') ?? 0) * NANO) || 0,
        refused: null,
      };
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      return { choices: [], call: null, costNanoUsd: 0, refused: error.code };
    }
  }
}

function bodyOf({ names, settings, prompt, round, position, step }: SampleOrder): JsonObject {
  const { n, prompts_per_round, sampling, seed } = settings;
  return {
    // Any scheme names the model.
    model: `hone-artifact:///${names.projectId}/${names.model}:step${step}`,
    messages: [...prompt.messages],
    ...{ n, temperature: sampling.temperature, top_p: sampling.top_p, max_tokens: sampling.max_tokens },
    seed: (seed + (round * prompts_per_round + position) * n) % MAX_SEED,
    ...{ logprobs: true, return_token_ids: true },
  };
}

/** What training needs of each choice. */
function choicesOf(answer: JsonValue): JsonObject[] {
  const choices = memberOf(answer, 'choices');
  const promptIds = memberOf(answer, 'prompt_token_ids');
  return (Array.isArray(choices) ? choices : []).filter(isJsonObject).map((choice) => {
    const { message, finish_reason, token_ids, logprobs } = choice;
    return {
      message: message ?? {},
      finish_reason: finish_reason ?? 'stop',
      prompt_token_ids: choice['prompt_token_ids'] ?? promptIds ?? null,
      token_ids: token_ids ?? null,
      logprobs: { content: logprobsOf(logprobs) },
    };
  });
}

function logprobsOf(logprobs: JsonValue | undefined): JsonValue[] | null {
  const content = memberOf(logprobs, 'content');
  if (!Array.isArray(content)) return null;
  return content.map((entry) => ({
    token: memberOf(entry, 'token') ?? '',
    logprob: memberOf(entry, 'logprob') ?? null,
  }));
}

/** A header's value of any characters: its UTF-8 bytes. */
const toHeader = (text: string): string => Buffer.from(text).toString('latin1');

const fromHeader = (value: string | null): string | null =>
  value === null ? null : Buffer.from(value, 'latin1').toString();
