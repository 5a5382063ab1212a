import { asOrder, type FieldTable, type Operand, resolveField } from '@hone/call-queries';
import type { TokenPrice } from '@hone/calls';
import { type CostQueryDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { distinctFields } from '../../streams/distinct-fields.js';

/** A price to store. */
export interface CostDraft extends TokenPrice {
  id: string;
  model: string;
}

/** Fields that a price may be asked for, in the order they are answered, and what their columns hold. */
const COST_FIELDS: FieldTable = {
  id: { kind: 'text', column: Prisma.sql`c.id`, isNeverNull: true },
  project_id: { kind: 'text', column: Prisma.sql`p.project_id`, isNeverNull: true },
  model: { kind: 'text', column: Prisma.sql`c.model`, isNeverNull: true },
  provider_id: { kind: 'text', column: Prisma.sql`c.provider_id`, isNeverNull: true },
  prompt_token_cost: { kind: 'number', column: Prisma.sql`c.prompt_token_cost`, isNeverNull: true },
  completion_token_cost: { kind: 'number', column: Prisma.sql`c.completion_token_cost`, isNeverNull: true },
  cache_read_input_token_cost: { kind: 'number', column: Prisma.sql`c.cache_read_input_token_cost` },
  cache_creation_input_token_cost: { kind: 'number', column: Prisma.sql`c.cache_creation_input_token_cost` },
  reasoning_token_cost: { kind: 'number', column: Prisma.sql`c.reasoning_token_cost` },
  effective_date: { kind: 'time', column: Prisma.sql`c.effective_date`, isNeverNull: true },
  created_at: { kind: 'time', column: Prisma.sql`c.created_at`, isNeverNull: true },
  created_by: { kind: 'text', column: Prisma.sql`c.created_by::text`, isNeverNull: true },
};

/** The operand of a column; undefined when there is none. */
export const costField = (name: string): Operand | undefined => resolveField(COST_FIELDS, name);

/** Prices of models, per project. */
@Injectable()
export class CostRepository {
  constructor(private readonly database: Database) {}

  /** Stores prices, all or none. */
  async insertAll(projectRowId: string, createdBy: string, drafts: CostDraft[]): Promise<void> {
    const createdAt = new Date();
    await this.database.client.cost.createMany({
      data: drafts.map((draft) => ({ ...draft, projectId: projectRowId, createdAt, createdBy })),
    });
  }

  /** The prices that meet a condition, and how many there are whatever the page. @param condition undefined: none */
  async query(projectRowId: string, query: CostQueryDto, condition: Prisma.Sql | undefined) {
    const names = query.fields?.length ? query.fields : Object.keys(COST_FIELDS);
    const source = Prisma.sql`FROM costs c, (SELECT ${query.project_id}::text AS project_id) AS p
      WHERE c.project_id = ${projectRowId}::uuid AND ${condition ?? Prisma.sql`true`}`;
    const columns = [...new Set(names)].map(
      (name) => Prisma.sql`${costField(name)?.sql as Prisma.Sql} AS ${Prisma.raw(name)}`,
    );
    const sort = query.sort_by?.length ? query.sort_by : [{ field: 'created_at', direction: 'asc' as const }];
    const order = distinctFields(sort).map(({ field, direction }) => asOrder(costField(field) as Operand, direction));
    const { client } = this.database;
    const rows = await client.$queryRaw<Record<string, unknown>[]>`SELECT ${Prisma.join(columns)} ${source}
      ORDER BY ${Prisma.join([...order, Prisma.sql`c.id ASC`])} LIMIT ${query.limit ?? null} OFFSET ${query.offset ?? 0}`;
    const [counted] = await client.$queryRaw<{ count: bigint }[]>`SELECT count(*) AS count ${source}`;
    return { rows, count: Number(counted?.count ?? 0n) };
  }

  /** Deletes prices. Ids of no price are ignored. @returns how many */
  async purge(projectRowId: string, ids: string[]): Promise<number> {
    const where = { projectId: projectRowId, id: { in: ids } };
    return (await this.database.client.cost.deleteMany({ where })).count;
  }
}
