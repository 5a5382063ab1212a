import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Principal, ProjectAccess } from '@hone/auth';
import { CallSelector } from '@hone/call-queries';
import { PricesRepository, usageOf } from '@hone/calls';
import { type CallsUsageDto, type CallsUsageResultDto, type TraceUsageDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { toObject } from '../reads/call-writer.js';
import { UsageRepository, type UsedCall } from './usage.repository.js';
import { isSumOfDescendants, type OwnUsage, sumUp } from './usage-sums.js';

const DEFAULT_LIMIT = 10_000;
const CALLS_PER_TURN = 250;
const NOTHING: CallsUsageResultDto = { call_usage: {}, unfinished_call_ids: [] };

@Injectable()
export class UsageService {
  constructor(
    private readonly usage: UsageRepository,
    private readonly prices: PricesRepository,
    private readonly selector: CallSelector,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * What calls and all their descendants used, by model. An unknown project has no calls.
   *
   * @throws ValidationError there are more calls than `limit`: a part would pass for the whole
   * @throws AccessDeniedError
   */
  async ofCalls(caller: Principal, body: CallsUsageDto): Promise<CallsUsageResultDto> {
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (projectRowId === null) return NOTHING;
    const limit = body.limit ?? DEFAULT_LIMIT;
    const calls = await this.usage.listTrees(projectRowId, body.call_ids, limit + 1);
    return this.answer(projectRowId, calls, limit, body.include_costs === true, new Set(body.call_ids));
  }

  /**
   * The same of each call that meets conditions, with those of its descendants that meet them.
   *
   * @throws ValidationError a bad expression, or more calls than `limit`
   * @throws AccessDeniedError
   */
  async ofSelection(caller: Principal, body: TraceUsageDto): Promise<CallsUsageResultDto> {
    const selected = this.selector.compile(body);
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (projectRowId === null) return NOTHING;
    const limit = body.limit ?? DEFAULT_LIMIT;
    const selection = await this.selector.within(projectRowId, selected);
    const calls = await this.usage.list(selection, limit + 1);
    return this.answer(projectRowId, calls, limit, body.include_costs === true);
  }

  /** @param wanted undefined: all */
  private async answer(
    projectRowId: string,
    calls: UsedCall[],
    limit: number,
    includeCosts: boolean,
    wanted?: ReadonlySet<string>,
  ): Promise<CallsUsageResultDto> {
    if (calls.length > limit)
      throw new ValidationError([valueIssue(`There are more than ${limit} calls to sum up`, ['body', 'limit'])]);
    const prices = includeCosts ? await this.prices.find(projectRowId) : undefined;
    const own: OwnUsage[] = [];
    for (const { id, parentId, startedAt, summary } of calls) {
      const used = usageOf(summary);
      own.push({ id, parentId, isSum: isSumOfDescendants(summary), usage: prices?.price(used, startedAt) ?? used });
      // Other requests are answered between the summaries of a long trace.
      if (own.length % CALLS_PER_TURN === 0) await nextTurn();
    }
    const sums = [...sumUp(own)].filter(([id]) => wanted?.has(id) ?? true);
    return {
      call_usage: toObject(new Map(sums.map(([id, models]) => [id, toObject(models)]))),
      unfinished_call_ids: calls.filter(({ isRunning }) => isRunning).map(({ id }) => id),
    };
  }
}
