import { CallSelector } from '@hone/call-queries';
import {
  asNumber,
  type CheckDto,
  type JsonValue,
  memberOf,
  type ScorerCheck,
  type ScorerDefinitionDto,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { CallCostsRepository } from '../../judged-calls/call-costs.repository.js';
import { outputText, valueOf } from '../../judged-calls/call-texts.js';
import type { CallValues, JudgedCall } from '../../judged-calls/judged-call.js';
import { JudgedCallsRepository } from '../../judged-calls/judged-calls.repository.js';
import { type JudgeContext, type Outcome, type ScorerKind, verdict, withoutVerdict } from '../scorer-kind.js';
import { type Checked, CheckThreads } from './check-threads.js';
import type { CheckResult, Compared, Unchecked } from './text-checks.js';

const PASSED = 'passed';
const UNIT = [0, 1] as const;

/** Rules that are computed of a call: the same answer each time, for no money. */
@Injectable()
export class CheckKind implements ScorerKind {
  readonly batchSize = 200;

  constructor(
    private readonly calls: JudgedCallsRepository,
    private readonly selector: CallSelector,
    private readonly threads: CheckThreads,
    private readonly costs: CallCostsRepository,
  ) {}

  async faultOf(definition: ScorerDefinitionDto): Promise<string | null> {
    const check = definition.check as CheckDto;
    return isOfText(check) ? this.threads.faultOf(check) : null;
  }

  async judge(
    calls: readonly JudgedCall[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
  ): Promise<readonly Outcome[]> {
    const check = definition.check as CheckDto;
    const results = isOfText(check) ? await this.texts(calls, check) : await this.facts(calls, check, context);
    if (typeof results === 'string') return calls.map(() => withoutVerdict('failed', 'check_unusable'));
    return results.map(toOutcome);
  }

  /** A text says why the check cannot be made. */
  private async texts(calls: readonly JudgedCall[], check: CheckDto): Promise<readonly Checked[] | string> {
    const compared = calls.map(({ values }) => (values === null ? null : comparedIn(values, check)));
    const items = compared.filter((one): one is Compared => one !== null);
    const results = await this.threads.run(check, items);
    if (typeof results === 'string') return results;
    const left = [...results];
    return compared.map((one) => (one === null ? { missing: 'values' } : (left.shift() as Checked)));
  }

  private async facts(calls: readonly JudgedCall[], check: CheckDto, context: JudgeContext): Promise<Checked[]> {
    if (check.check === 'latency') return calls.map(({ latencyMs }) => atMost(latencyMs, check, 'end'));
    if (check.check === 'cost') return this.costsOf(calls, check, context);
    const met = await this.meeting(calls, check, context);
    return calls.map(({ id }) => ({ passed: met.has(id) }));
  }

  private async costsOf(
    calls: readonly JudgedCall[],
    check: CheckDto,
    { projectRowId }: JudgeContext,
  ): Promise<Checked[]> {
    const booked = calls.map(({ values }) => bookedOf(values));
    const others = calls.flatMap(({ id }, at) => (booked[at] === undefined ? [id] : []));
    const costs = others.length > 0 ? await this.costs.find(projectRowId, others) : new Map<string, number>();
    return calls.map(({ id }, at) => atMost(booked[at] ?? costs.get(id) ?? null, check, 'cost'));
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

/** Whether it is computed of texts and values alone, and not of what is known of a stored call. */
export const isOfText = ({ check }: CheckDto): boolean => !OF_FACTS.includes(check);

const OF_FACTS: readonly ScorerCheck[] = ['latency', 'cost', 'expression'];

const atMost = (value: number | null, { max }: CheckDto, missing: string): CheckResult | Unchecked =>
  value === null ? { missing } : { passed: value <= (max as number), value };

/** What the answer of a prediction cost that this service has made: the call of its model is stored some time later. */
const bookedOf = (values: CallValues | null): number | undefined =>
  asNumber(memberOf(memberOf(values?.attributes, 'evaluation'), 'cost_usd'));

function comparedIn(values: CallValues, check: CheckDto): Compared {
  const { of, reference, value } = check;
  const isWhole = check.check === 'tool_called';
  return {
    value: of ? valueOf(values, of) : isWhole ? values.output : outputText(values),
    expected: reference ? valueOf(values, reference) : ((value ?? null) as JsonValue),
  };
}

function toOutcome(checked: Checked): Outcome {
  if ('isLate' in checked) return withoutVerdict('failed', 'check_too_slow');
  return 'missing' in checked ? withoutVerdict('skipped', `missing_${checked.missing}`) : toVerdict(checked);
}

function toVerdict({ passed, value }: CheckResult): Outcome {
  const rating = { name: PASSED, value: passed ? 1 : 0, scale: UNIT, spread: null };
  return verdict({
    ratings: value === undefined ? [rating] : [rating, { name: 'value', value, scale: null, spread: null }],
    tags: passed ? [PASSED] : [],
  });
}
