import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ScoringRecord } from '../scorings/scoring.record.js';
import { type ScoringDraft, ScoringsRepository } from '../scorings/scorings.repository.js';
import type { BiasReportRecord } from './bias-report.record.js';

/** What a judge found about a call that a probe changed. */
export interface ProbeVerdict {
  readonly callId: string;
  readonly ratings: Readonly<Record<string, number>>;
  readonly tags: readonly string[];
}

@Injectable()
export class BiasReportsRepository {
  constructor(
    private readonly database: Database,
    private readonly scorings: ScoringsRepository,
  ) {}

  /** The report with its probes, all or nothing. */
  async create(
    draft: Omit<BiasReportRecord, 'projectId' | 'createdAt'>,
    probes: readonly ScoringDraft[],
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.client.$executeRaw`
        INSERT INTO bias_reports (project_id, id, scorer_id, scorer_digest, request, call_ids, created_by)
        VALUES (${draft.projectRowId}::uuid, ${draft.id}::uuid, ${draft.scorerId}, ${draft.scorerDigest},
          ${JSON.stringify(draft.request)}::jsonb, ${[...draft.callIds]}, ${draft.createdBy}::uuid)`;
      for (const probe of probes) await this.scorings.create(probe);
    });
  }

  async find(id: string): Promise<BiasReportRecord | null> {
    const [row] = await this.database.client.$queryRaw<BiasReportRecord[]>`
      SELECT b.id, b.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", b.scorer_id AS "scorerId",
        b.scorer_digest AS "scorerDigest", b.request, b.call_ids AS "callIds", b.created_by AS "createdBy", b.created_at AS "createdAt"
      FROM bias_reports b JOIN projects p ON p.id = b.project_id JOIN entities e ON e.id = p.entity_id WHERE b.id = ${id}::uuid`;
    return row ?? null;
  }

  /** What a probe found about the calls, whichever report asked for it. */
  async verdictsOf(probe: ScoringRecord, callIds: readonly string[]): Promise<ProbeVerdict[]> {
    return this.database.client.$queryRaw<ProbeVerdict[]>`
      SELECT call_id AS "callId", found->'ratings' AS ratings, found->'tags' AS tags FROM verdicts
      WHERE project_id = ${probe.projectRowId}::uuid AND call_id = ANY(${[...callIds]}) AND scorer_id = ${probe.scorerId}
        AND scorer_digest = ${probe.scorerDigest} AND trial = ${probe.trial} AND state = 'done' AND found IS NOT NULL`;
  }
}
