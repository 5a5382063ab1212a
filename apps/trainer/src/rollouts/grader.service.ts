import {
  type GradeOfAnswerDto,
  type GradeResultDto,
  type JsonValue,
  memberOf,
  stringifyJson,
  toPlainJson,
} from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { RETRY_DELAYS_MS, ServiceRefusedError } from '@hone/service-client';
import { Injectable } from '@nestjs/common';

import { RolloutsRefusedError } from './rollouts.errors.js';
import type { SampleOrder } from './sampler.service.js';
import { pause, ServiceCalls } from './service-calls.js';

const NANO = 1e9;

/** Grades of answers, in their order, and what they cost. */
export interface Graded {
  readonly grades: readonly GradeOfAnswerDto[];
  readonly costNanoUsd: number;
}

/** Has the evaluation service grade answers. */
@Injectable()
export class Grader {
  constructor(private readonly calls: ServiceCalls) {}

  /**
   * Judgements that failed for now are asked again, with the delays of every retry, and are then left out by their code.
   *
   * @throws as {@link ServiceCalls.ask}
   */
  async grade(order: SampleOrder, outputs: readonly JsonValue[]): Promise<Graded> {
    const first = await this.ask(order, outputs);
    const grades = [...first.grades];
    let costNanoUsd = first.costNanoUsd;
    for (const delayMs of RETRY_DELAYS_MS) {
      const open = grades.flatMap((grade, at) => (isRetryable(grade) ? [at] : []));
      if (open.length === 0) break;
      await pause(delayMs, order.signal);
      const again = await this.ask(
        order,
        open.map((at) => outputs[at] as JsonValue),
      );
      open.forEach((at, index) => (grades[at] = again.grades[index] as GradeOfAnswerDto));
      costNanoUsd += again.costNanoUsd;
    }
    return { grades, costNanoUsd };
  }

  private async ask(
    { keyId, names, settings, prompt, signal }: SampleOrder,
    outputs: readonly JsonValue[],
  ): Promise<Graded> {
    const body = stringifyJson({
      project_id: names.projectId,
      scorers: settings.scorers.map(({ scorer, criterion, weight }) => ({ scorer, criterion, weight })),
      inputs: { ...prompt.row, messages: [...prompt.messages] },
      answers: outputs.map((output) => ({ output })),
    });
    try {
      const { text } = await this.calls.ask('Grading', () => ({ keyId, body, signal }));
      const result = toPlainJson(tryParseJson(text) ?? null) as unknown as GradeResultDto;
      return { grades: result.grades, costNanoUsd: Math.round(result.cost_usd * NANO) };
    } catch (error) {
      // The scorers are the same for every answer: a refusal concerns the job.
      if (error instanceof ServiceRefusedError)
        throw new RolloutsRefusedError('Grading', error.code, error.message, error);
      throw error;
    }
  }
}

const isRetryable = ({ reward, verdicts }: GradeOfAnswerDto): boolean =>
  reward === null && verdicts.every(({ score, retryable }) => score !== null || retryable);

/** What is graded of a choice: the text, or the message where it calls tools. */
export function outputOf(choice: JsonValue): JsonValue {
  const message = memberOf(choice, 'message') ?? null;
  const calls = memberOf(message, 'tool_calls');
  if (Array.isArray(calls) && calls.length > 0) return message;
  return memberOf(message, 'content') ?? '';
}
