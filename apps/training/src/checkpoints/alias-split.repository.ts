import { Database, newId, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';
import type { AliasSplit, NamingSplit, SplitDraft } from './alias-split.record.js';

type ModelKey = Pick<ModelRecord, 'projectId' | 'id'>;

const ofModel = ({ projectId, id }: ModelKey): Prisma.Sql =>
  Prisma.sql`s.project_id = ${projectId}::uuid AND s.model_id = ${id}::uuid`;

/** Splits of aliases. Whoever changes one holds the rows of its model, and of the models that it names. */
@Injectable()
export class AliasSplitRepository {
  constructor(private readonly database: Database) {}

  list(model: ModelKey): Promise<AliasSplit[]> {
    return this.query(ofModel(model));
  }

  async find(model: ModelKey, alias: string): Promise<AliasSplit | null> {
    const [found] = await this.query(Prisma.sql`${ofModel(model)} AND s.alias = ${alias}`);
    return found ?? null;
  }

  /** The first split of the project that names one of these steps of a model; null: none does. */
  async findNaming({ projectId, id }: ModelKey, steps: readonly number[]): Promise<NamingSplit | null> {
    const [found] = await this.database.client.$queryRaw<NamingSplit[]>`
      SELECT s.alias, m.name AS model, (named->>'step')::int AS step
      FROM alias_splits s JOIN trainable_models m ON m.project_id = s.project_id AND m.id = s.model_id
        CROSS JOIN LATERAL jsonb_array_elements(
          CASE WHEN s.shadow IS NULL THEN s.arms ELSE s.arms || jsonb_build_array(s.shadow) END) AS named
      WHERE s.project_id = ${projectId}::uuid AND named->>'modelId' = ${id}
        AND (named->>'step')::int = ANY (${[...steps]}::int[])
      ORDER BY m.name, s.alias LIMIT 1`;
    return found ?? null;
  }

  /** Makes a split, or changes it: what was spent today stays. */
  async put({ projectId, id }: ModelKey, alias: string, draft: SplitDraft, updatedBy: string): Promise<void> {
    const [arms, ranges] = [JSON.stringify(draft.arms), JSON.stringify(draft.ranges)];
    const shadow = draft.shadow && JSON.stringify(draft.shadow);
    await this.database.client.$executeRaw`
      INSERT INTO alias_splits AS s
        (project_id, model_id, alias, id, version, arms, ranges, shadow, updated_at, updated_by)
      VALUES (${projectId}::uuid, ${id}::uuid, ${alias}, ${newId()}::uuid, 1, ${arms}::jsonb, ${ranges}::jsonb,
        ${shadow}::jsonb, now(), ${updatedBy}::uuid)
      ON CONFLICT (project_id, model_id, alias) DO UPDATE SET version = s.version + 1, arms = excluded.arms,
        ranges = excluded.ranges, shadow = excluded.shadow, updated_at = excluded.updated_at,
        updated_by = excluded.updated_by`;
  }

  async delete(model: ModelKey, alias: string): Promise<void> {
    await this.database.client.$executeRaw`DELETE FROM alias_splits s WHERE ${ofModel(model)} AND s.alias = ${alias}`;
  }

  private query(condition: Prisma.Sql): Promise<AliasSplit[]> {
    return this.database.client.$queryRaw<AliasSplit[]>`
      SELECT s.id, s.alias, s.version, s.arms, s.ranges, s.shadow, s.updated_at AS "updatedAt",
        s.updated_by AS "updatedBy",
        CASE WHEN s.spent_on = (now() AT TIME ZONE 'UTC')::date THEN s.spent_nano_usd ELSE 0 END::float8 AS "spentNanoUsd"
      FROM alias_splits s WHERE ${condition} ORDER BY s.alias COLLATE "C"`;
  }
}
