import type { JsonObject, JudgeDto, PairwiseDto, ScorerDefinitionDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { outputText } from '../../judged-calls/call-texts.js';
import type { CallValues, JudgedCall } from '../../judged-calls/judged-call.js';
import { LlmKind } from '../llm/llm.kind.js';
import { type JudgeContext, type Outcome, type ScorerKind, withoutVerdict } from '../scorer-kind.js';
import { BETTER, ofBothOrders, type Order, ORDERS, STEPS } from './order-answers.js';
import { OtherAnswers } from './other-answers.js';

/**
 * A model that compares a call's answer with another one. It is asked in both orders, as judges favour what stands first
 * (Zheng et al. 2023, arXiv 2306.05685, section 3.4), and each time as a judge that rates which of the two is better.
 */
@Injectable()
export class PairwiseKind implements ScorerKind {
  readonly batchSize = 1;

  constructor(
    private readonly judges: LlmKind,
    private readonly others: OtherAnswers,
  ) {}

  faultOf(): Promise<null> {
    return Promise.resolve(null);
  }

  async judge(
    calls: readonly JudgedCall[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
  ): Promise<readonly Outcome[]> {
    return Promise.all(calls.map((call) => this.judgeOne(call, definition.pairwise as PairwiseDto, context)));
  }

  private async judgeOne(call: JudgedCall, pairwise: PairwiseDto, context: JudgeContext): Promise<Outcome> {
    const { values } = call;
    if (values === null) return withoutVerdict('skipped', 'missing_values');
    const own = outputText(values);
    if (own === null) return withoutVerdict('skipped', 'missing_output');
    const other = await this.otherOf(call, values, pairwise, context);
    if (other === null) return withoutVerdict('skipped', 'missing_against');
    const judge = judgeOf(pairwise);
    const outcomes = await Promise.all(
      ORDERS.map(async (order) => {
        const [first, second] = order === 'call' ? [own, other] : [other, own];
        // A template's paths are of the call: the two answers are members of it.
        const asked: JudgedCall = { ...call, values: { ...values, first, second } as CallValues };
        const [outcome] = await this.judges.judge([asked], { kind: 'llm', llm: judge }, inOrder(order, context));
        return outcome as Outcome;
      }),
    );
    return ofBothOrders(outcomes);
  }

  private otherOf(
    call: JudgedCall,
    values: CallValues,
    pairwise: PairwiseDto,
    context: JudgeContext,
  ): Promise<string | null> {
    if (!context.againstOf) return this.others.within(context, values, pairwise);
    const id = context.againstOf(call);
    return id === null ? Promise.resolve(null) : this.others.ofCall(context, id);
  }
}

/** Both orders have requests of their own. */
const inOrder = (order: Order, context: JudgeContext): JudgeContext => ({
  ...context,
  requestIdOf: (call) => `${context.requestIdOf(call)}.${order}`,
});

function judgeOf({ model, messages, description, temperature, seed, max_tokens }: PairwiseDto): JudgeDto {
  const steps: JsonObject = {
    [STEPS.first]: 'the first answer is better',
    [STEPS.second]: 'the second answer is better',
    [STEPS.tie]: 'neither is better',
  };
  const better = {
    name: BETTER,
    min: STEPS.tie,
    max: STEPS.second,
    description,
    steps: steps as Record<string, string>,
  };
  return { model, messages, ratings: [better], temperature, seed, max_tokens } as JudgeDto;
}
