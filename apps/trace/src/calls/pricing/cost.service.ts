import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import { compileExpression, idsOfPurge, unknownFields } from '@hone/call-queries';
import {
  type CostCreateDto,
  type CostCreateResultDto,
  type CostDto,
  type CostPurgeDto,
  type CostQueryDto,
  type CostQueryResultDto,
  type EmptyResultDto,
  type JsonValue,
  parseDateTime,
} from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { type CostDraft, costField, CostRepository } from './cost.repository.js';

const DEFAULT_PROVIDER = 'default';

@Injectable()
export class CostService {
  constructor(
    private readonly costs: CostRepository,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Stores prices, all or none. A price does not replace an older one: the newest that was in effect counts.
   *
   * @throws AccessDeniedError
   */
  async create(author: Principal, { project_id, costs }: CostCreateDto): Promise<CostCreateResultDto> {
    const grant = await this.access.grantWrite(author, 'trace', project_id, 'writer');
    const drafts = Object.entries(costs).map(([model, price]): CostDraft => ({
      id: newId(),
      model,
      providerId: price.provider_id ?? DEFAULT_PROVIDER,
      promptTokenCost: price.prompt_token_cost,
      completionTokenCost: price.completion_token_cost,
      cacheReadInputTokenCost: price.cache_read_input_token_cost ?? null,
      cacheCreationInputTokenCost: price.cache_creation_input_token_cost ?? null,
      reasoningTokenCost: price.reasoning_token_cost ?? null,
      effectiveDate: price.effective_date ? (parseDateTime(price.effective_date) as Date) : new Date(),
    }));
    await this.database.transaction(async () => {
      await this.costs.insertAll(await this.access.rowIdFor(author, grant), author.userId, drafts);
      await this.audit.addOf(author, project_id, 'cost.create', { count: drafts.length });
    });
    return { ids: drafts.map(({ id, model }) => [id, model]) };
  }

  /**
   * Prices that meet the condition, with their total number. An unknown project has none.
   *
   * @throws ValidationError an unknown field, a bad expression
   * @throws AccessDeniedError
   */
  async query(caller: Principal, query: CostQueryDto): Promise<CostQueryResultDto> {
    const issues = [
      ...unknownFields(query.fields ?? [], costField, (index) => ['body', 'fields', index]),
      ...unknownFields(
        (query.sort_by ?? []).map(({ field }) => field),
        costField,
        (index) => ['body', 'sort_by', index, 'field'],
      ),
    ];
    if (issues.length) throw new ValidationError(issues);
    const context = { resolve: costField, refScheme: this.refScheme.name };
    const condition = query.query
      ? compileExpression(query.query.$expr as JsonValue, context, ['body', 'query', '$expr'])
      : undefined;
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    if (projectRowId === null) return { result: [], total_count: 0 };
    const { rows, count } = await this.costs.query(projectRowId, query, condition);
    return { result: rows.map((row) => toCost(row, query.fields ?? [])), total_count: count };
  }

  /** Deletes prices by their ids. @throws ValidationError, AccessDeniedError, ProjectNotFoundError */
  async purge(caller: Principal, { project_id, query }: CostPurgeDto): Promise<EmptyResultDto> {
    const ids = idsOfPurge(query.$expr as JsonValue);
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    await this.database.transaction(async () => {
      const count = await this.costs.purge(projectRowId, ids);
      if (count > 0) await this.audit.addOf(caller, project_id, 'cost.delete', { count });
    });
    return {};
  }
}

/** Prices that few models have are left out where they are not set, unless they were asked for. */
const RARE = ['cache_read_input_token_cost', 'cache_creation_input_token_cost', 'reasoning_token_cost'];

const toCost = (row: Record<string, unknown>, asked: readonly string[]): CostDto =>
  Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== null || !RARE.includes(name) || asked.includes(name)),
  );
