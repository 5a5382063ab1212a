import type { GateActDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { ClaimedRows } from '../queue/claimed-rows.repository.js';
import type { GatePair, GateValues } from './decision/gate-pair.js';
import type { GateProgress, GateRecord, PairCounts } from './gate.record.js';

export const PAGE = 50;
/** Calls that are named as awaited. */
const MAX_AWAITED = 20;

export type GateDraft = Pick<
  GateRecord,
  'id' | 'projectRowId' | 'name' | 'settings' | 'queueId' | 'keyId' | 'createdBy'
>;

const COLUMNS = Prisma.sql`g.id, g.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", g.name, g.settings, g.status,
  g.verdict, g.reason, g.reason_guards AS "reasonGuards", g.basis, g.error, g.looks, g.left_out AS "leftOut", g.label_plan AS "labelPlan",
  g.acts, g.queue_id AS "queueId", g.key_id AS "keyId", g.created_by AS "createdBy", g.created_at AS "createdAt", g.ended_at AS "endedAt"`;
const FROM = Prisma.sql`FROM gates g JOIN projects p ON p.id = g.project_id JOIN entities e ON e.id = p.entity_id`;

/** Gates with their pairs. */
@Injectable()
export class GatesRepository {
  readonly claims = new ClaimedRows(this.database, Prisma.sql`gates`, Prisma.sql`status = 'open'`);

  constructor(private readonly database: Database) {}

  async create({ id, projectRowId, name, settings, queueId, keyId, createdBy }: GateDraft): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO gates (project_id, id, name, settings, status, queue_id, key_id, created_by)
      VALUES (${projectRowId}::uuid, ${id}::uuid, ${name}, ${JSON.stringify(settings)}::jsonb, 'open', ${queueId}, ${keyId}::uuid,
        ${createdBy}::uuid)`;
  }

  async find(id: string): Promise<GateRecord | null> {
    const [row] = await this.database.client.$queryRaw<
      GateRecord[]
    >`SELECT ${COLUMNS} ${FROM} WHERE g.id = ${id}::uuid`;
    return row ?? null;
  }

  /** The newest first, one more than a page. @param cursor id of the last one of the page before */
  async list(projectRowId: string, cursor: string | undefined): Promise<GateRecord[]> {
    const after = cursor === undefined ? Prisma.empty : Prisma.sql`AND g.id < ${cursor}::uuid`;
    return this.database.client.$queryRaw<GateRecord[]>`
      SELECT ${COLUMNS} ${FROM} WHERE g.project_id = ${projectRowId}::uuid ${after} ORDER BY g.id DESC LIMIT ${PAGE + 1}`;
  }

  async countOpen(projectRowId: string): Promise<number> {
    return this.database.client.gate.count({ where: { projectId: projectRowId, status: 'open' } });
  }

  /** In their order. */
  async pairs({ projectRowId, id }: Pick<GateRecord, 'projectRowId' | 'id'>): Promise<GatePair[]> {
    const rows = await this.database.client.$queryRaw<{ pair: Omit<GatePair, 'labels'>; labels: GateValues | null }[]>`
      SELECT pair, labels FROM gate_pairs WHERE project_id = ${projectRowId}::uuid AND gate_id = ${id}::uuid ORDER BY number`;
    return rows.map(({ pair, labels }) => ({ ...pair, labels }));
  }

  /** @param from number of the first one */
  async addPairs({ projectRowId, id }: GateRecord, pairs: readonly GatePair[], from: number): Promise<void> {
    const rows = pairs.map(({ labels, ...pair }, at) => ({ number: from + at, pair, labels }));
    await this.database.client.$executeRaw`
      INSERT INTO gate_pairs (project_id, gate_id, number, row_digest, pair, labels)
      SELECT ${projectRowId}::uuid, ${id}::uuid, number, pair ->> 'digest', pair, labels
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (number int, pair jsonb, labels jsonb)`;
  }

  /** Keeps the first labels of pairs: what counted once stays. */
  async addLabels({ projectRowId, id }: GateRecord, labels: readonly (readonly [string, GateValues])[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE gate_pairs SET labels = label -> 1 FROM jsonb_array_elements(${JSON.stringify(labels)}::jsonb) AS label
      WHERE project_id = ${projectRowId}::uuid AND gate_id = ${id}::uuid AND row_digest = label ->> 0 AND labels IS NULL`;
  }

  async progress(id: string, { basis, looks, leftOut, end }: GateProgress, seconds: number): Promise<void> {
    const ended = end
      ? Prisma.sql`, status = 'decided', verdict = ${end.verdict}, reason = ${end.reason}, reason_guards = ${[...end.reasonGuards]}::text[],
          label_plan = ${JSON.stringify(end.labelPlan)}::jsonb, ended_at = now()`
      : Prisma.empty;
    await this.database.client.$executeRaw`
      UPDATE gates SET basis = ${basis}, looks = looks || ${JSON.stringify(looks)}::jsonb, left_out = ${JSON.stringify(leftOut)}::jsonb,
        claim = NULL, look_at = now() + ${seconds} * interval '1 second' ${ended}
      WHERE id = ${id}::uuid`;
  }

  /** @returns false: it has ended before */
  async end(
    id: string,
    status: 'cancelled' | 'failed',
    error: string | null,
    act: GateActDto | null,
  ): Promise<boolean> {
    const acts = JSON.stringify(act === null ? [] : [act]);
    const ended = await this.database.client.$executeRaw`
      UPDATE gates SET status = ${status}, error = ${error}, ended_at = now(), claim = NULL, acts = acts || ${acts}::jsonb
      WHERE id = ${id}::uuid AND status = 'open'`;
    return ended > 0;
  }

  /** The same act counts once. */
  async addAct(id: string, act: GateActDto): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE gates SET acts = acts || ${JSON.stringify([act])}::jsonb
      WHERE id = ${id}::uuid AND NOT acts @> ${JSON.stringify([{ act: act.act, detail: act.detail }])}::jsonb`;
  }

  /** By id of the gate. */
  async counts(gates: readonly Pick<GateRecord, 'projectRowId' | 'id'>[]): Promise<Map<string, PairCounts>> {
    const rows = await this.database.client.$queryRaw<(PairCounts & { id: string })[]>`
      SELECT gate_id AS id, count(*)::int AS pairs, (count(*) FILTER (WHERE (pair -> 'isDrawn')::boolean))::int AS asked,
        (count(*) FILTER (WHERE (pair -> 'isDrawn')::boolean AND labels IS NOT NULL))::int AS labels,
        coalesce((array_agg(pair #>> '{answers,0,0}' ORDER BY number)
          FILTER (WHERE (pair -> 'isDrawn')::boolean AND labels IS NULL AND pair #> '{answers,0,0}' IS NOT NULL))[1:${MAX_AWAITED / 2}::int], '{}')
        || coalesce((array_agg(pair #>> '{answers,1,0}' ORDER BY number)
          FILTER (WHERE (pair -> 'isDrawn')::boolean AND labels IS NULL AND pair #> '{answers,1,0}' IS NOT NULL))[1:${MAX_AWAITED / 2}::int], '{}') AS awaited
      FROM gate_pairs WHERE project_id = ANY(${[...new Set(gates.map(({ projectRowId }) => projectRowId))]}::uuid[])
        AND gate_id = ANY(${gates.map(({ id }) => id)}::uuid[]) GROUP BY gate_id`;
    return new Map(rows.map(({ id, ...counts }) => [id, counts]));
  }
}
