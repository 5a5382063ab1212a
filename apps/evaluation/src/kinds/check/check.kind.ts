import { CallSelector } from '@hone/call-queries';
import type { CheckDto, JsonValue, ScorerDefinitionDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { outputText, valueOf } from '../../judged-calls/call-texts.js';
import type { CallValues, JudgedCall } from '../../judged-calls/judged-call.js';
import { JudgedCallsRepository } from '../../judged-calls/judged-calls.repository.js';
import { type JudgeContext, type Outcome, type ScorerKind, verdict, withoutVerdict } from '../scorer-kind.js';
import { type CheckResult, compileTextCheck, type Unchecked } from './text-checks.js';

const PASSED = 'passed';
const UNIT = [0, 1] as const;

/** Rules that are computed of a call: the same answer each time, for no money. */
@Injectable()
export class CheckKind implements ScorerKind {
  readonly batchSize = 200;

  constructor(
    private readonly calls: JudgedCallsRepository,
    private readonly selector: CallSelector,
  ) {}

  async judge(
    calls: readonly JudgedCall[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
  ): Promise<readonly Outcome[]> {
    const check = definition.check as CheckDto;
    const run = await this.prepare(calls, check, context);
    return calls.map((call) => {
      const result = run(call);
      return 'missing' in result ? withoutVerdict('skipped', `missing_${result.missing}`) : toVerdict(result);
    });
  }

  private async prepare(
    calls: readonly JudgedCall[],
    check: CheckDto,
    context: JudgeContext,
  ): Promise<(call: JudgedCall) => CheckResult | Unchecked> {
    if (check.check === 'latency') return ({ latencyMs }) => atMost(latencyMs, check);
    if (check.check === 'expression') {
      const met = await this.meeting(calls, check, context);
      return ({ id }) => ({ passed: met.has(id) });
    }
    const run = compileTextCheck(check);
    return ({ values }) => (values === null ? { missing: 'values' } : run(comparedIn(values, check)));
  }

  /** Ids of those that meet the condition. */
  private async meeting(
    calls: readonly JudgedCall[],
    { query }: CheckDto,
    { projectId, projectRowId }: JudgeContext,
  ): Promise<Set<string>> {
    const filter = { call_ids: calls.map(({ id }) => id) };
    const compiled = this.selector.compile({ project_id: projectId, filter, query: query ?? null });
    return this.calls.matching(await this.selector.within(projectRowId, compiled, true));
  }
}

const atMost = (value: number | null, { max }: CheckDto): CheckResult | Unchecked =>
  value === null ? { missing: 'end' } : { passed: value <= (max as number), value };

function comparedIn(values: CallValues, check: CheckDto) {
  const { of, reference, value } = check;
  const isWhole = check.check === 'tool_called';
  return {
    value: of ? valueOf(values, of) : isWhole ? values.output : outputText(values),
    expected: reference ? valueOf(values, reference) : ((value ?? null) as JsonValue),
  };
}

function toVerdict({ passed, value }: CheckResult): Outcome {
  const rating = { name: PASSED, value: passed ? 1 : 0, scale: UNIT, spread: null };
  return verdict({
    ratings: value === undefined ? [rating] : [rating, { name: 'value', value, scale: null, spread: null }],
    tags: passed ? [PASSED] : [],
  });
}
