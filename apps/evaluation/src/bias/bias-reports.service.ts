import type { Principal } from '@hone/auth';
import { toNanoUsd, toUsd } from '@hone/calls';
import type { BiasProbeDto, BiasReportCreateDto, BiasReportDto } from '@hone/contracts';
import { newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import type { Candidate } from '../labels/candidates.repository.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { ScoringQueueFullError } from '../scorings/scorings.errors.js';
import { type ScoringDraft, ScoringsRepository } from '../scorings/scorings.repository.js';
import { MAX_OPEN } from '../scorings/scorings.service.js';
import { LabelledCallsReader, type OpenedCriterion } from '../truth/labelled-calls.reader.js';
import { BiasEvidence } from './bias-evidence.service.js';
import { meanFigure, probeFigures, traitBias } from './bias-figures.js';
import { callsToProbe, probesOf, trialOf } from './bias-probes.js';
import type { BiasReportRecord } from './bias-report.record.js';
import { BiasReportNotFoundError, NothingToProbeError } from './bias-reports.errors.js';
import { BiasReportsRepository } from './bias-reports.repository.js';
import { familyOf } from './model-family.js';

const MIN_CALLS = 2;

/** How judges may be biased. */
@Injectable()
export class BiasReportsService {
  constructor(
    private readonly reader: LabelledCallsReader,
    private readonly access: EvaluationAccess,
    private readonly evidence: BiasEvidence,
    private readonly reports: BiasReportsRepository,
    private readonly scorings: ScoringsRepository,
  ) {}

  /**
   * @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError
   * @throws NothingToProbeError, ScoringQueueFullError
   */
  async create(author: Principal, body: BiasReportCreateDto): Promise<BiasReportDto> {
    const opened = await this.reader.open(author, body, 'writer');
    const { project, scorer } = opened;
    const probes = probesOf(body, scorer.definition);
    if (probes.length > 0 && scorer.definition.kind === 'llm') this.access.assertMayAskModels(author);
    const judged = probes.length === 0 ? [] : await this.evidence.judged(opened, body.call_ids ?? null);
    const callIds = callsToProbe(
      judged.map(({ callId }) => callId),
      body,
    );
    if (probes.length > 0 && callIds.length < MIN_CALLS) throw new NothingToProbeError(MIN_CALLS);
    if ((await this.scorings.countOpen(project.rowId)) + probes.length > MAX_OPEN)
      throw new ScoringQueueFullError(MAX_OPEN);
    const id = newId();
    const shared = {
      ...{
        projectRowId: project.rowId,
        scorerId: scorer.objectId,
        scorerDigest: scorer.digest,
        createdBy: author.userId,
      },
    };
    const budget = typeof body.max_cost_usd === 'number' ? toNanoUsd(body.max_cost_usd / probes.length) : null;
    const drafts = probes.map((probe): ScoringDraft => ({
      ...{ ...shared, id: newId(), selection: { call_ids: callIds }, callLimit: callIds.length },
      ...{ maxCostNanoUsd: budget, keyId: author.keyId },
      ofBias: { reportId: id, probe, trial: trialOf(probe, new Date()) },
    }));
    await this.reports.create({ ...shared, id, request: body, callIds }, drafts);
    return this.report(await this.read(id), opened);
  }

  /** @throws AccessDeniedError, BiasReportNotFoundError, ScorerNotFoundError, ScorerNotDefinedError, ValidationError */
  async get(caller: Principal, id: string): Promise<BiasReportDto> {
    const record = await this.read(id);
    await this.access.assertMayUse(caller, record.projectId, 'reader', 'this bias report');
    const scorer = `${record.scorerId}:${record.scorerDigest}`;
    const opened = await this.reader.open(caller, { ...record.request, scorer }, 'reader');
    return this.report(record, opened);
  }

  private async report(record: BiasReportRecord, opened: OpenedCriterion): Promise<BiasReportDto> {
    const { id, projectId, request, callIds, createdAt } = record;
    const probes = await this.scorings.ofBiasReport(id);
    const isRunning = probes.some(({ finishedAt }) => finishedAt === null);
    return {
      ...{
        id,
        project_id: projectId,
        scorer: opened.scorer.ref,
        criterion: opened.criterion.name,
        level: opened.level,
      },
      ...{ status: isRunning ? ('running' as const) : ('done' as const) },
      ...(await this.observed(request, opened)),
      probes: await this.probed(probes, callIds, opened),
      probe_call_ids: [...callIds],
      cost_usd: toUsd(probes.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)),
      created_at: createdAt.toISOString(),
    };
  }

  /** What verdicts and labels tell that are there anyway. */
  private async observed(request: BiasReportCreateDto, opened: OpenedCriterion) {
    const { level, project, scorer } = opened;
    const judged = await this.evidence.judged(opened, null);
    const labelled = this.evidence.labelled(judged, opened, request.label_source ?? null);
    const lengths = await this.evidence.lengths(
      project.rowId,
      labelled.map(({ callId }) => callId),
    );
    const model = request.judge_model ?? scorer.definition.llm?.model;
    const family = model === undefined ? null : familyOf(model);
    const isOwn = (answered: string) =>
      answered === '' || family === null ? null : Number(familyOf(answered) === family);
    return {
      labels: labelled.length,
      length: traitBias(
        labelled.map((call) => ({ ...call, trait: lengths.get(call.callId) ?? null })),
        level,
      ),
      self_preference: traitBias(
        labelled.map((call) => ({ ...call, trait: isOwn(call.model) })),
        level,
      ),
      judge_family: family,
      vote_spread: meanFigure(
        judged.flatMap(({ spread }) => (spread === null ? [] : [spread])),
        level,
      ),
    };
  }

  private async probed(
    probes: readonly ScoringRecord[],
    callIds: readonly string[],
    opened: OpenedCriterion,
  ): Promise<BiasProbeDto[]> {
    if (probes.length === 0) return [];
    const { criterion, level } = opened;
    const judged = await this.evidence.judged(opened, callIds);
    const before = new Map(judged.map(({ callId, verdict }: Candidate) => [callId, verdict]));
    const found: BiasProbeDto[] = [];
    for (const scoring of probes) {
      const verdicts = await this.reports.verdictsOf(scoring, callIds);
      const pairs = verdicts.flatMap(({ callId, ratings, tags }) => {
        const [was, is] = [
          before.get(callId),
          criterion.isTag ? Number(tags.includes(criterion.name)) : ratings[criterion.name],
        ];
        return was === undefined || is === undefined ? [] : [{ before: was, after: is }];
      });
      const { id, probe, status } = scoring;
      if (probe !== null) found.push({ probe, scoring_id: id, status, ...probeFigures(pairs, level) });
    }
    return found;
  }

  private async read(id: string): Promise<BiasReportRecord> {
    const record = await this.reports.find(id);
    if (!record) throw new BiasReportNotFoundError(id);
    return record;
  }
}
