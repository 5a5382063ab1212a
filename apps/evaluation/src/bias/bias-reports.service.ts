import type { Principal } from '@hone/auth';
import { toNanoUsd, toUsd } from '@hone/calls';
import {
  type BiasProbe,
  type BiasProbeDto,
  type BiasReportCreateDto,
  type BiasReportDto,
  judgeModelOf,
  withScheme,
} from '@hone/contracts';
import { newId } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Slots } from '@hone/threads';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { ScorerKinds } from '../kinds/kinds.js';
import { ScorerNotDefinedError } from '../scorers/scorers.errors.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { ScoringQueueFullError } from '../scorings/scorings.errors.js';
import { type ScoringDraft, ScoringsRepository } from '../scorings/scorings.repository.js';
import { MAX_OPEN } from '../scorings/scorings.service.js';
import { assertUsable } from '../scorings/usable-scorer.js';
import { LabelledCallsReader } from '../truth/labelled-calls.reader.js';
import { BiasEvidence, type ProbedCriterion } from './bias-evidence.service.js';
import { probeFigures } from './bias-figures.js';
import { callsToProbe, probesOf, trialOf } from './bias-probes.js';
import type { BiasReportRecord } from './bias-report.record.js';
import { BiasReportNotFoundError, BiasReportsBusyError, NothingToProbeError } from './bias-reports.errors.js';
import { BiasReportsRepository, type ProbeVerdict } from './bias-reports.repository.js';

const MIN_CALLS = 2;
/** More would hold the memory of the answers that they read. */
const MAX_AT_ONCE = 2;
const MAX_WAIT_MS = 30_000;

/** How judges may be biased. */
@Injectable()
export class BiasReportsService {
  private readonly slots = new Slots(MAX_AT_ONCE, { ms: MAX_WAIT_MS, toError: () => new BiasReportsBusyError() });

  constructor(
    private readonly reader: LabelledCallsReader,
    private readonly access: EvaluationAccess,
    private readonly kinds: ScorerKinds,
    private readonly evidence: BiasEvidence,
    private readonly reports: BiasReportsRepository,
    private readonly scorings: ScoringsRepository,
    private readonly scheme: RefScheme,
  ) {}

  /**
   * @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ScorerNotFoundError, ScorerNotDefinedError
   * @throws NothingToProbeError, ScoringQueueFullError, BiasReportsBusyError
   */
  async create(author: Principal, body: BiasReportCreateDto): Promise<BiasReportDto> {
    const opened = await this.open(author, body);
    const { project, scorer } = opened;
    const probes = probesOf(body, scorer.definition);
    if (probes.length > 0) {
      if (judgeModelOf(scorer.definition) !== null) this.access.assertMayAskModels(author);
      await assertUsable(this.kinds, scorer.definition);
    }
    if ((await this.scorings.countOpen(project.rowId)) + probes.length > MAX_OPEN)
      throw new ScoringQueueFullError(MAX_OPEN);
    await this.slots.enter();
    try {
      return await this.store(author, body, opened, probes);
    } finally {
      this.slots.leave();
    }
  }

  /** @throws AccessDeniedError, BiasReportNotFoundError */
  async get(caller: Principal, id: string): Promise<BiasReportDto> {
    const record = await this.read(id);
    await this.access.assertMayUse(caller, record.projectId, 'reader', 'this bias report');
    return this.report(record);
  }

  /** Hone asks again those that it runs itself. @throws ScorerNotDefinedError and what opening throws */
  private async open(author: Principal, body: BiasReportCreateDto): Promise<ProbedCriterion> {
    const { scorer, ...opened } = await this.reader.open(author, body, 'writer');
    const { definition } = scorer;
    if (definition === null) throw new ScorerNotDefinedError(body.scorer);
    return { ...opened, scorer: { ...scorer, definition } };
  }

  private async store(
    author: Principal,
    body: BiasReportCreateDto,
    opened: ProbedCriterion,
    probes: readonly BiasProbe[],
  ): Promise<BiasReportDto> {
    const { project, scorer, criterion, level } = opened;
    const judged = await this.evidence.judged(opened, null);
    const named = body.call_ids ? await this.evidence.judged(opened, body.call_ids) : judged;
    const verdicts = new Map(named.map(({ callId, verdict }) => [callId, verdict]));
    const callIds = probes.length === 0 ? [] : callsToProbe([...verdicts.keys()], body);
    if (probes.length > 0 && callIds.length < MIN_CALLS) throw new NothingToProbeError(MIN_CALLS);
    const figures = await this.evidence.observed(judged, opened, body);
    const id = newId();
    const shared = {
      ...{ projectRowId: project.rowId, scorerId: scorer.objectId, scorerDigest: scorer.digest },
      createdBy: author.userId,
    };
    const drafts = probes.map((probe): ScoringDraft => ({
      ...{ ...shared, id: newId(), selection: { call_ids: callIds }, callLimit: callIds.length },
      maxCostNanoUsd: typeof body.max_cost_usd === 'number' ? toNanoUsd(body.max_cost_usd / probes.length) : null,
      keyId: author.keyId,
      ofBias: { reportId: id, probe, trial: trialOf(probe, new Date()) },
    }));
    await this.reports.create(
      {
        ...{ ...shared, id, criterion: criterion.name, isTag: criterion.isTag, level, figures, callIds },
        verdicts: callIds.map((callId) => verdicts.get(callId) as number),
      },
      drafts,
    );
    return this.report(await this.read(id));
  }

  private async report(record: BiasReportRecord): Promise<BiasReportDto> {
    const { id, projectId, scorerId, scorerDigest, criterion, level, figures, callIds, createdAt } = record;
    const probes = await this.scorings.ofBiasReport(id);
    const isRunning = probes.some(({ finishedAt }) => finishedAt === null);
    return {
      ...{ id, project_id: projectId, criterion, level },
      scorer: withScheme(`${projectId}/object/${scorerId}:${scorerDigest}`, this.scheme.name),
      ...{ status: isRunning ? ('running' as const) : ('done' as const) },
      ...figures,
      // Reports of before this figure was known do not have it.
      order_swap: figures.order_swap ?? null,
      probes: await this.probed(probes, record),
      probe_call_ids: [...callIds],
      cost_usd: toUsd(probes.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)),
      created_at: createdAt.toISOString(),
    };
  }

  private async probed(probes: readonly ScoringRecord[], record: BiasReportRecord): Promise<BiasProbeDto[]> {
    const before = new Map(record.callIds.map((callId, at) => [callId, record.verdicts[at] as number]));
    const found: BiasProbeDto[] = [];
    for (const scoring of probes) {
      const verdicts = await this.reports.verdictsOf(scoring, record.callIds);
      const pairs = verdicts.flatMap((verdict) => {
        const [was, is] = [before.get(verdict.callId), valueOf(verdict, record)];
        return was === undefined || is === undefined ? [] : [{ before: was, after: is }];
      });
      const { id, probe, status } = scoring;
      if (probe !== null) found.push({ probe, scoring_id: id, status, ...probeFigures(pairs, record.level) });
    }
    return found;
  }

  private async read(id: string): Promise<BiasReportRecord> {
    const record = await this.reports.find(id);
    if (!record) throw new BiasReportNotFoundError(id);
    return record;
  }
}

const valueOf = ({ ratings, tags }: ProbeVerdict, { criterion, isTag }: BiasReportRecord): number | undefined =>
  isTag ? Number(tags.includes(criterion)) : ratings[criterion];
