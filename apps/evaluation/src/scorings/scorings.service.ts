import type { Principal } from '@hone/auth';
import { CallSelector } from '@hone/call-queries';
import { toNanoUsd } from '@hone/calls';
import { judgeModelOf, type Role, type ScoringCreateDto, type ScoringDto, type ScoringPageDto } from '@hone/contracts';
import { newId } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { ScorerKinds } from '../kinds/kinds.js';
import { ScorerReader } from '../scorers/scorer-reader.service.js';
import { toScoringDto } from './scoring.mapper.js';
import type { ScoringRecord } from './scoring.record.js';
import { ScoringFinishedError, ScoringNotFoundError, ScoringQueueFullError } from './scorings.errors.js';
import { PAGE, ScoringsRepository } from './scorings.repository.js';
import { assertUsable } from './usable-scorer.js';

const DEFAULT_LIMIT = 1_000;
/** Scorings of a project that are not over. */
export const MAX_OPEN = 50;

/** Jobs that judge calls with a scorer, once each. */
@Injectable()
export class ScoringsService {
  constructor(
    private readonly scorings: ScoringsRepository,
    private readonly scorers: ScorerReader,
    private readonly access: EvaluationAccess,
    private readonly kinds: ScorerKinds,
    private readonly selector: CallSelector,
    private readonly scheme: RefScheme,
  ) {}

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError, ScoringQueueFullError */
  async create(author: Principal, body: ScoringCreateDto): Promise<ScoringDto> {
    // A bad condition is told before the job is there.
    this.selector.compile({ project_id: body.project_id, filter: body.filter, query: body.query });
    const project = await this.access.project(author, body.project_id, 'writer');
    const scorer = await this.scorers.find(project, body.scorer);
    if (judgeModelOf(scorer.definition) !== null) this.access.assertMayAskModels(author);
    await assertUsable(this.kinds, scorer.definition);
    if ((await this.scorings.countOpen(project.rowId)) >= MAX_OPEN) throw new ScoringQueueFullError(MAX_OPEN);
    const id = newId();
    await this.scorings.create({
      id,
      projectRowId: project.rowId,
      scorerId: scorer.objectId,
      scorerDigest: scorer.digest,
      selection: { call_ids: body.call_ids ?? null, filter: body.filter ?? null, query: body.query ?? null },
      callLimit: body.call_ids?.length ?? body.limit ?? DEFAULT_LIMIT,
      maxCostNanoUsd: typeof body.max_cost_usd === 'number' ? toNanoUsd(body.max_cost_usd) : null,
      keyId: author.keyId,
      createdBy: author.userId,
    });
    return this.toDto(await this.read(id));
  }

  /** @throws AccessDeniedError, ScoringNotFoundError */
  async get(caller: Principal, id: string): Promise<ScoringDto> {
    return this.toDto(await this.find(caller, id, 'reader'));
  }

  /** @param cursor id of the last one of the page before. @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string, cursor: string | undefined): Promise<ScoringPageDto> {
    const { rowId } = await this.access.project(caller, projectId, 'reader');
    const found = await this.scorings.list(rowId, cursor);
    const page = found.slice(0, PAGE);
    const counts = await this.scorings.counts(page.map(({ id }) => id));
    const scorings = page.map((one) =>
      toScoringDto(
        one,
        counts.filter(({ scoringId }) => scoringId === one.id),
        this.scheme.name,
      ),
    );
    return { scorings, next_cursor: found.length > PAGE ? (page.at(-1) as ScoringRecord).id : null };
  }

  /** @throws AccessDeniedError, ScoringNotFoundError, ScoringFinishedError */
  async cancel(caller: Principal, id: string): Promise<ScoringDto> {
    const scoring = await this.find(caller, id, 'writer');
    if (!(await this.scorings.finish(id, 'cancelled'))) throw new ScoringFinishedError(id, scoring.status);
    return this.toDto(await this.read(id));
  }

  /** Judges the calls that failed once more; one that ended early ends so again. @throws AccessDeniedError, ScoringNotFoundError, ScorerNotFoundError, ScorerNotDefinedError */
  async retry(caller: Principal, id: string): Promise<ScoringDto> {
    const { projectId, projectRowId, scorerId, scorerDigest } = await this.find(caller, id, 'writer');
    const scorer = await this.scorers.read(
      { id: projectId, rowId: projectRowId },
      { objectId: scorerId, digest: scorerDigest },
    );
    // Models are asked in the name of whoever made the scoring, but not for a key that may ask none.
    if (judgeModelOf(scorer.definition) !== null) this.access.assertMayAskModels(caller);
    await this.scorings.retry(id);
    return this.toDto(await this.read(id));
  }

  private async find(caller: Principal, id: string, needed: Role): Promise<ScoringRecord> {
    const scoring = await this.read(id);
    await this.access.assertMayUse(caller, scoring.projectId, needed, 'this scoring');
    return scoring;
  }

  private async read(id: string): Promise<ScoringRecord> {
    const scoring = await this.scorings.find(id);
    if (!scoring) throw new ScoringNotFoundError(id);
    return scoring;
  }

  private async toDto(scoring: ScoringRecord): Promise<ScoringDto> {
    return toScoringDto(scoring, await this.scorings.counts([scoring.id]), this.scheme.name);
  }
}
