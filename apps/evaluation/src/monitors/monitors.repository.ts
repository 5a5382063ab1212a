import { Database, isUniqueViolation, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { MonitorRecord, MonitorSelection } from './monitor.record.js';

/** What a request says of a new monitor. */
export type MonitorDraft = Omit<MonitorRecord, 'projectId' | 'createdAt'>;
/** What a request changes. */
export type MonitorChange = Partial<
  Pick<
    MonitorRecord,
    'scorerId' | 'scorerDigest' | 'sampleRate' | 'maxCostNanoUsdPerDay' | 'isPaused' | 'keyId' | 'createdBy'
  >
>;

const COLUMNS = Prisma.sql`m.id, m.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", m.name,
  m.scorer_id AS "scorerId", m.scorer_digest AS "scorerDigest", m.selection, m.sample_rate AS "sampleRate",
  m.max_cost_nano_usd_per_day::float8 AS "maxCostNanoUsdPerDay", m.is_paused AS "isPaused", m.key_id AS "keyId",
  m.created_by AS "createdBy", m.created_at AS "createdAt"`;
const FROM = Prisma.sql`FROM monitors m JOIN projects p ON p.id = m.project_id JOIN entities e ON e.id = p.entity_id`;

@Injectable()
export class MonitorsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false: another one has the name */
  async create({ maxCostNanoUsdPerDay, projectRowId, selection, ...draft }: MonitorDraft): Promise<boolean> {
    try {
      await this.database.client.monitor.create({
        data: {
          ...draft,
          projectId: projectRowId,
          selection: toJson(selection),
          maxCostNanoUsdPerDay: toBig(maxCostNanoUsdPerDay),
        },
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async find(id: string): Promise<MonitorRecord | null> {
    const [row] = await this.database.client.$queryRaw<
      MonitorRecord[]
    >`SELECT ${COLUMNS} ${FROM} WHERE m.id = ${id}::uuid`;
    return row ?? null;
  }

  /** All of a project, by their names. */
  async list(projectRowId: string): Promise<MonitorRecord[]> {
    return this.database.client.$queryRaw<MonitorRecord[]>`
      SELECT ${COLUMNS} ${FROM} WHERE m.project_id = ${projectRowId}::uuid ORDER BY m.name, m.id`;
  }

  async update(id: string, { maxCostNanoUsdPerDay, ...change }: MonitorChange): Promise<void> {
    await this.database.client.monitor.updateMany({
      where: { id },
      data: {
        ...change,
        ...(maxCostNanoUsdPerDay !== undefined && { maxCostNanoUsdPerDay: toBig(maxCostNanoUsdPerDay) }),
      },
    });
  }

  async delete(id: string): Promise<void> {
    await this.database.client.monitor.deleteMany({ where: { id } });
  }
}

const toJson = (selection: MonitorSelection) => JSON.parse(JSON.stringify(selection)) as Prisma.InputJsonObject;
const toBig = (nano: number | null): bigint | null => (nano === null ? null : BigInt(nano));
