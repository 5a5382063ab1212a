import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type BiasFigureDto,
  type BiasReportCreateDto,
  judgeModelOf,
  type LabelSource,
  PAIRWISE_FLIPPED,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { outputText } from '../judged-calls/call-texts.js';
import { JudgedCallsRepository } from '../judged-calls/judged-calls.repository.js';
import { type Candidate, CandidatesRepository } from '../labels/candidates.repository.js';
import { labelledCandidates } from '../labels/labelled-candidates.js';
import type { Scorer } from '../scorers/scorer-reader.service.js';
import { weightsOf } from '../truth/agreement.js';
import { criteriaOf } from '../truth/criterion.js';
import type { OpenedCriterion } from '../truth/labelled-calls.reader.js';
import { type LabelledAnswer, meanFigure, shareFigure, traitBias } from './bias-figures.js';
import type { ObservedBias } from './bias-report.record.js';
import { familyOf } from './model-family.js';

const MODEL = 'summary.hone.model';
const MAX_JUDGED = 10_000;
const MAX_LABELLED = 1_000;
/** Groups of calls whose answers are read, of some megabytes each: a thousand usual calls are one. */
const MAX_GROUPS = 8;

/** A labelled call as judge and people see it. */
interface LabelledCall extends Omit<LabelledAnswer, 'trait'> {
  readonly callId: string;
  /** That answered; empty: none is known. */
  readonly model: string;
}

/** What a report of bias asks about. */
export interface ProbedCriterion extends OpenedCriterion {
  readonly scorer: Scorer;
}

/** What is known of judged calls, from which bias is told. */
@Injectable()
export class BiasEvidence {
  constructor(
    private readonly candidates: CandidatesRepository,
    private readonly calls: JudgedCallsRepository,
  ) {}

  /** Judged calls, the newest first, at most 10,000. @param callIds null: all */
  judged({ selection, source }: OpenedCriterion, callIds: readonly string[] | null): Promise<Candidate[]> {
    const filter = callIds === null ? selection.filter : { ...selection.filter, call_ids: [...callIds] };
    return this.candidates.find({ ...selection, filter }, source, MODEL, MAX_JUDGED);
  }

  /** What verdicts and labels tell that are there anyway. */
  async observed(
    judged: readonly Candidate[],
    opened: ProbedCriterion,
    { label_source, judge_model }: BiasReportCreateDto,
  ): Promise<ObservedBias> {
    const { level, project, scorer } = opened;
    // Ten thousand calls take some milliseconds: other requests have their turn in between.
    await nextTurn();
    const labelled = this.labelled(judged, opened, label_source ?? null);
    await nextTurn();
    const lengths = await this.lengths(
      project.rowId,
      labelled.map(({ callId }) => callId),
    );
    const model = judge_model ?? judgeModelOf(scorer.definition);
    const family = model === null ? null : familyOf(model);
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
      order_swap: await this.orderSwap(opened),
    };
  }

  /** Judges of two answers were asked in both orders anyway: their verdicts say whether these agreed. */
  private async orderSwap({ scorer, selection, source, level }: ProbedCriterion): Promise<BiasFigureDto | null> {
    const criterion = criteriaOf(scorer.definition).find(({ name }) => name === PAIRWISE_FLIPPED);
    if (scorer.definition.kind !== 'pairwise' || !criterion) return null;
    const judged = await this.candidates.find(selection, { ...source, criterion }, null, MAX_JUDGED);
    return shareFigure(
      judged.map(({ verdict }) => verdict),
      level,
    );
  }

  /** The labelled ones, the newest first, at most 1,000. */
  private labelled(
    judged: readonly Candidate[],
    { criterion, source }: OpenedCriterion,
    wanted: LabelSource | null,
  ): LabelledCall[] {
    const { calls, used } = labelledCandidates(judged, criterion, source.truth?.map, wanted);
    const weights = weightsOf(calls);
    return used.slice(0, MAX_LABELLED).map(({ callId, stratum }, at) => ({
      ...{ callId, human: calls.human[at] as number, judge: calls.judge[at] as number },
      ...{ weight: weights[at] as number, model: stratum },
    }));
  }

  /** Logarithms of the characters that each call answered, by its id; those without a text, and those of very many megabytes, have none. */
  private async lengths(projectRowId: string, callIds: readonly string[]): Promise<Map<string, number>> {
    const lengths = new Map<string, number>();
    const groups = await this.calls.inGroups(projectRowId, callIds);
    for (const ids of groups.slice(0, MAX_GROUPS))
      for (const { id, values } of await this.calls.read(projectRowId, ids)) {
        const text = values && outputText(values);
        if (text) lengths.set(id, Math.log(text.length));
      }
    return lengths;
  }
}
