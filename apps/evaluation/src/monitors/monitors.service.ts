import type { Principal } from '@hone/auth';
import { CallSelector } from '@hone/call-queries';
import { toNanoUsd, toUsd } from '@hone/calls';
import {
  judgeModelOf,
  type MonitorCreateDto,
  type MonitorDto,
  type MonitorListDto,
  type MonitorStatus,
  type MonitorUpdateDto,
  type Role,
  valueIssue,
  withScheme,
} from '@hone/contracts';
import { newId } from '@hone/database';
import { RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import { type Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import { toScoringDto } from '../scorings/scoring.mapper.js';
import type { ScoringRecord, StateCount } from '../scorings/scoring.record.js';
import { ScoringsRepository } from '../scorings/scorings.repository.js';
import type { MonitorRecord } from './monitor.record.js';
import { MonitorNameTakenError, MonitorNotFoundError, TooManyMonitorsError } from './monitors.errors.js';
import { type MonitorChange, MonitorsRepository } from './monitors.repository.js';

const MAX_MONITORS = 50;
const ROLE = 'owner';

/** Scorers that judge new calls as they come. */
@Injectable()
export class MonitorsService {
  constructor(
    private readonly monitors: MonitorsRepository,
    private readonly scorings: ScoringsRepository,
    private readonly scorers: ScorerReader,
    private readonly access: EvaluationAccess,
    private readonly selector: CallSelector,
    private readonly scheme: RefScheme,
  ) {}

  /** @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError, MonitorNameTakenError, TooManyMonitorsError */
  async create(author: Principal, body: MonitorCreateDto): Promise<MonitorDto> {
    const { filter = null, query = null } = body;
    const compiled = this.selector.compile({ project_id: body.project_id, filter, query });
    for (const [operator, uses] of [
      ['$search', compiled.searches] as const,
      ['$feedbackHas', compiled.feedback] as const,
    ])
      if (uses.length > 0)
        throw new ValidationError([valueIssue(`${operator} finds no call as it comes`, ['body', 'query', '$expr'])]);
    const project = await this.access.project(author, body.project_id, ROLE);
    const scorer = await this.scorerOf(author, project, body.scorer);
    if ((await this.monitors.list(project.rowId)).length >= MAX_MONITORS) throw new TooManyMonitorsError(MAX_MONITORS);
    const id = newId();
    const isMade = await this.monitors.create({
      ...{ id, projectRowId: project.rowId, name: body.name, selection: { filter, query } },
      ...{ scorerId: scorer.objectId, scorerDigest: scorer.digest },
      sampleRate: body.sample_rate ?? 1,
      maxCostNanoUsdPerDay: typeof body.max_cost_usd_per_day === 'number' ? toNanoUsd(body.max_cost_usd_per_day) : null,
      isPaused: body.paused ?? false,
      ...{ keyId: author.keyId, createdBy: author.userId },
    });
    if (!isMade) throw new MonitorNameTakenError(body.name);
    return this.toDto(await this.read(id));
  }

  /** @throws AccessDeniedError, MonitorNotFoundError */
  async get(caller: Principal, id: string): Promise<MonitorDto> {
    return this.toDto(await this.find(caller, id, 'reader'));
  }

  /** @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string): Promise<MonitorListDto> {
    const { rowId } = await this.access.project(caller, projectId, 'reader');
    return { monitors: await this.toDtos(await this.monitors.list(rowId)) };
  }

  /** From now on it judges in the name of whoever changed it. @throws AccessDeniedError, MonitorNotFoundError, ScorerNotFoundError, ScorerNotDefinedError */
  async update(caller: Principal, id: string, body: MonitorUpdateDto): Promise<MonitorDto> {
    const monitor = await this.find(caller, id, ROLE);
    const project = { id: monitor.projectId, rowId: monitor.projectRowId };
    const scorer = await this.scorerOf(caller, project, body.scorer ?? `${monitor.scorerId}:${monitor.scorerDigest}`);
    const change: MonitorChange = {
      ...{ scorerId: scorer.objectId, scorerDigest: scorer.digest, keyId: caller.keyId, createdBy: caller.userId },
      ...(typeof body.sample_rate === 'number' && { sampleRate: body.sample_rate }),
      ...(typeof body.max_cost_usd_per_day === 'number' && {
        maxCostNanoUsdPerDay: toNanoUsd(body.max_cost_usd_per_day),
      }),
      ...(typeof body.paused === 'boolean' && { isPaused: body.paused }),
    };
    await this.monitors.update(id, change);
    const changed = await this.read(id);
    await this.scorings.followMonitor(changed);
    return this.toDto(changed);
  }

  /** What it judged stays. @throws AccessDeniedError, MonitorNotFoundError */
  async delete(caller: Principal, id: string): Promise<void> {
    await this.find(caller, id, ROLE);
    await this.monitors.delete(id);
  }

  private async scorerOf(caller: Principal, project: OwnProject, name: string): Promise<Scorer> {
    const scorer = await this.scorers.find(project, name);
    if (judgeModelOf(scorer.definition) !== null) this.access.assertMayAskModels(caller);
    return scorer;
  }

  private async find(caller: Principal, id: string, needed: Role): Promise<MonitorRecord> {
    const monitor = await this.read(id);
    await this.access.assertMayUse(caller, monitor.projectId, needed, 'this monitor');
    return monitor;
  }

  private async read(id: string): Promise<MonitorRecord> {
    const monitor = await this.monitors.find(id);
    if (!monitor) throw new MonitorNotFoundError(id);
    return monitor;
  }

  private async toDto(monitor: MonitorRecord): Promise<MonitorDto> {
    const [only] = await this.toDtos([monitor]);
    return only as MonitorDto;
  }

  private async toDtos(monitors: readonly MonitorRecord[]): Promise<MonitorDto[]> {
    const days = await this.scorings.ofMonitorsToday(monitors);
    const counts = await this.scorings.counts([...days.values()].map(({ id }) => id));
    return monitors.map((monitor) => {
      const day = days.get(monitor.id) ?? null;
      return this.withDay(
        monitor,
        day,
        counts.filter(({ scoringId }) => scoringId === day?.id),
      );
    });
  }

  private withDay(monitor: MonitorRecord, day: ScoringRecord | null, counts: readonly StateCount[]): MonitorDto {
    const { maxCostNanoUsdPerDay: most, selection, projectId } = monitor;
    return {
      ...{ id: monitor.id, project_id: projectId, name: monitor.name },
      scorer: withScheme(`${projectId}/object/${monitor.scorerId}:${monitor.scorerDigest}`, this.scheme.name),
      ...{ filter: selection.filter ?? null, query: selection.query ?? null, sample_rate: monitor.sampleRate },
      max_cost_usd_per_day: most === null ? null : toUsd(most),
      ...{ status: statusOf(monitor, day), error: day?.error ?? null },
      today: day && this.toDay(day, counts),
      created_at: monitor.createdAt.toISOString(),
    };
  }

  private toDay(day: ScoringRecord, found: readonly StateCount[]): MonitorDto['today'] {
    const { counts, problems, cost_usd } = toScoringDto(day, found, this.scheme.name);
    return { counts, problems, cost_usd };
  }
}

function statusOf({ isPaused }: MonitorRecord, day: ScoringRecord | null): MonitorStatus {
  if (isPaused) return 'paused';
  return day?.status === 'budget_spent' || day?.status === 'failed' ? day.status : 'live';
}
