import type { JsonObject, JudgeDto, ScorerDefinitionDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { type ChatAnswer, GatewayRefusedError, GatewayUnavailableError } from '../../gateway/gateway-session.js';
import type { JudgedCall } from '../../judged-calls/judged-call.js';
import { judgeUser } from '../../judged-calls/own-users.js';
import { type JudgeContext, type Outcome, type ScorerKind, verdict, withoutVerdict } from '../scorer-kind.js';
import { expectedRatings } from './expected-ratings.js';
import { type JudgeAnswer, readAnswer } from './judge-answer.js';
import { answerSchema, maxTokensOf, promptOf } from './judge-prompt.js';

const NONSENSE = 'judge_answered_nonsense';
const TRIES = 2;
/** As many as chat completions give; a scale has ten numbers at the most. */
const TOP_LOGPROBS = 20;
/** Characters of a wrong answer that the judge sees again. */
const MAX_ECHO = 4_000;

interface Vote {
  readonly answer: JudgeAnswer | null;
  /** The last request that had an answer. */
  readonly call: string | null;
}

/** What all votes about a call are asked, and what their answers have cost, those of votes that fail later, too. */
interface Asked {
  readonly call: JudgedCall;
  readonly judge: JudgeDto;
  readonly prompt: readonly JsonObject[];
  readonly context: JudgeContext;
  costNanoUsd: number;
  /** Whether a request without an answer may have cost something. */
  isCostOpen: boolean;
}

/** A model that judges by a strict schema, with its reason before its numbers. */
@Injectable()
export class LlmKind implements ScorerKind {
  readonly batchSize = 1;

  faultOf(): Promise<null> {
    return Promise.resolve(null);
  }

  async judge(
    calls: readonly JudgedCall[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
  ): Promise<readonly Outcome[]> {
    return Promise.all(calls.map((call) => this.judgeOne(call, definition.llm as JudgeDto, context)));
  }

  private async judgeOne(call: JudgedCall, judge: JudgeDto, context: JudgeContext): Promise<Outcome> {
    if (call.values === null) return withoutVerdict('skipped', 'missing_values');
    const prompt = promptOf(judge, call.values);
    if ('missing' in prompt) return withoutVerdict('skipped', `missing_${prompt.missing}`);
    const asked: Asked = { call, judge, prompt, context, costNanoUsd: 0, isCostOpen: false };
    const votes = await Promise.allSettled(Array.from({ length: judge.votes ?? 1 }, (_, at) => this.vote(asked, at)));
    const cast = votes.flatMap((vote) => (vote.status === 'fulfilled' ? [vote.value] : []));
    const { costNanoUsd, isCostOpen } = asked;
    if (cast.length < votes.length) {
      const errors = votes.flatMap((vote) => (vote.status === 'rejected' ? [vote.reason as unknown] : []));
      return failureOf(errors, { costNanoUsd, isCostOpen });
    }
    const answers = cast.flatMap(({ answer }) => (answer === null ? [] : [answer]));
    if (answers.length < cast.length) return withoutVerdict('failed', NONSENSE, { costNanoUsd, isCostOpen });
    return tally(judge, answers, { costNanoUsd, isCostOpen, judgeCall: cast.at(-1)?.call ?? null });
  }

  /** Asks once more, with what was wrong, where the answer does not have its form. */
  private async vote(asked: Asked, at: number): Promise<Vote> {
    const { call, judge, prompt, context } = asked;
    let messages = [...prompt];
    let last: ChatAnswer | null = null;
    for (let time = 0; time < TRIES; time++) {
      last = await this.ask(asked, this.bodyOf(judge, messages, at), `${context.requestIdOf(call)}.${at}.${time}`);
      asked.costNanoUsd += last.costNanoUsd;
      const answer = readAnswer(judge, last.content);
      if (!('wrong' in answer)) {
        const expected = judge.expected ? expectedRatings(judge, last.content, last.logprobs) : {};
        return { answer: { ...answer, ratings: { ...answer.ratings, ...expected } }, call: last.call };
      }
      messages = [
        ...prompt,
        { role: 'assistant', content: last.content.slice(0, MAX_ECHO) || '-' },
        { role: 'user', content: `${answer.wrong} Answer again, with the JSON object alone.` },
      ];
    }
    return { answer: null, call: last?.call ?? null };
  }

  /** A server that has no log-probabilities may refuse to be asked for them: then it is asked without. */
  private async ask(asked: Asked, body: JsonObject, requestId: string): Promise<ChatAnswer> {
    const { call, judge, context } = asked;
    const options = {
      projectId: context.projectId,
      metadata: { user: judgeUser(context.scorerId), 'hone.judged_call': call.id },
      signal: context.signal,
    };
    try {
      const more: JsonObject = judge.expected ? { logprobs: true, top_logprobs: TOP_LOGPROBS } : {};
      return await context.session.chat({ ...body, ...more }, { ...options, requestId });
    } catch (error) {
      if (!judge.expected || !(error instanceof GatewayRefusedError)) throw error;
      asked.isCostOpen ||= error.mayHaveCost;
      return context.session.chat(body, { ...options, requestId: `${requestId}.plain` });
    }
  }

  private bodyOf(judge: JudgeDto, messages: JsonObject[], vote: number): JsonObject {
    return {
      model: judge.model,
      messages,
      temperature: judge.temperature ?? ((judge.votes ?? 1) > 1 ? 1 : 0),
      seed: (judge.seed ?? 0) + vote,
      max_tokens: maxTokensOf(judge),
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'verdict', strict: true, schema: answerSchema(judge) },
      },
    };
  }
}

/** What the votes that failed say together: one that cannot succeed decides. */
function failureOf(errors: readonly unknown[], known: Pick<Asked, 'costNanoUsd' | 'isCostOpen'>): Outcome {
  const mayHaveCost = errors.some(
    (error) => (error instanceof GatewayUnavailableError || error instanceof GatewayRefusedError) && error.mayHaveCost,
  );
  let unavailable: GatewayUnavailableError | undefined;
  let refused: GatewayRefusedError | undefined;
  for (const error of errors) {
    if (error instanceof GatewayRefusedError) refused ??= error;
    else if (error instanceof GatewayUnavailableError) unavailable ??= error;
    else throw error;
  }
  const isTransient = refused === undefined;
  const { code } = (refused ?? unavailable) as GatewayRefusedError;
  return withoutVerdict('failed', code, { ...known, isTransient, isCostOpen: known.isCostOpen || mayHaveCost });
}

/** Ratings are means of the votes, with their spread; a tag is what more than half of them say. */
function tally(
  judge: JudgeDto,
  answers: readonly JudgeAnswer[],
  more: Pick<Outcome, 'costNanoUsd' | 'isCostOpen' | 'judgeCall'>,
): Outcome {
  const ratings = (judge.ratings ?? []).map(({ name, min, max }) => {
    const values = answers.map(({ ratings }) => ratings[name] as number);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spread =
      values.length > 1
        ? Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
        : null;
    return { name, value: mean, scale: [min, max] as const, spread };
  });
  const tags = (judge.tags ?? [])
    .map(({ name }) => name)
    .filter((name) => answers.filter((answer) => answer.tags.includes(name)).length * 2 > answers.length);
  return verdict({ ratings, tags, reason: answers[0]?.reason ?? null, ...more });
}
