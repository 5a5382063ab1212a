import { IS_SHOWN } from '@hone/call-queries';
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
        INSERT INTO bias_reports (project_id, id, scorer_id, scorer_digest, criterion, is_tag, level, figures, call_ids, verdicts, created_by)
        VALUES (${draft.projectRowId}::uuid, ${draft.id}::uuid, ${draft.scorerId}, ${draft.scorerDigest}, ${draft.criterion},
          ${draft.isTag}, ${draft.level}::float8, ${JSON.stringify(draft.figures)}::jsonb, ${[...draft.callIds]},
          ${[...draft.verdicts]}::float8[], ${draft.createdBy}::uuid)`;
      for (const probe of probes) await this.scorings.create(probe);
    });
  }

  async find(id: string): Promise<BiasReportRecord | null> {
    const [row] = await this.database.client.$queryRaw<BiasReportRecord[]>`
      SELECT b.id, b.project_id AS "projectRowId", e.name || '/' || p.name AS "projectId", b.scorer_id AS "scorerId",
        b.scorer_digest AS "scorerDigest", b.criterion, b.is_tag AS "isTag", b.level, b.figures, b.call_ids AS "callIds",
        b.verdicts, b.created_by AS "createdBy", b.created_at AS "createdAt"
      FROM bias_reports b JOIN projects p ON p.id = b.project_id JOIN entities e ON e.id = p.entity_id WHERE b.id = ${id}::uuid`;
    return row ?? null;
  }

  /** What a probe found about the calls, deleted ones left out, whichever report asked for it. */
  async verdictsOf(probe: ScoringRecord, callIds: readonly string[]): Promise<ProbeVerdict[]> {
    return this.database.client.$queryRaw<ProbeVerdict[]>`
      SELECT v.call_id AS "callId", v.found->'ratings' AS ratings, v.found->'tags' AS tags
      FROM verdicts v JOIN calls c ON c.project_id = v.project_id AND c.id = v.call_id
      WHERE v.project_id = ${probe.projectRowId}::uuid AND v.call_id = ANY(${[...callIds]}) AND v.scorer_id = ${probe.scorerId}
        AND v.scorer_digest = ${probe.scorerDigest} AND v.trial = ${probe.trial} AND v.state = 'done' AND v.found IS NOT NULL
        AND ${IS_SHOWN}`;
  }
}
