import type { DiagnosisIssueDto } from '@hone/contracts';
import {
  planPreference,
  planSft,
  type PreferenceConfigInput,
  resolvePreferenceConfig,
  resolveSftConfig,
  type SftConfigInput,
  splitLines,
  warnOfDroppedLines,
  warnOfLearningRate,
  warnOfLines,
  withLearningRate,
} from '@hone/engine';

import type { BaseFolder } from '../base-models/base-models.js';
import { type Diagnosis, reportFailure, reportPlan, toIssue } from './diagnosis-report.js';
import { oneChunk } from './one-chunk.js';
import { openPlanningBase } from './planning-base.js';

interface LinesData {
  /** JSON Lines. */
  readonly lines: Uint8Array;
  /** The same of the validation data; null: it has no file, or one that is not checked. */
  readonly validationLines: Uint8Array | null;
  readonly base: BaseFolder;
}

/** A job that learns from the lines of a file. */
export type LinesCase = LinesData &
  (
    | { readonly kind: 'sft'; readonly config: SftConfigInput | null }
    | { readonly kind: 'preference'; readonly config: PreferenceConfigInput | null }
  );

/** Dry run of a job that learns from lines: plans it without training. */
export async function diagnoseLines(planned: LinesCase): Promise<Diagnosis> {
  const { kind, lines, validationLines, base } = planned;
  const warnings: DiagnosisIssueDto[] = [];
  try {
    const planning = await openPlanningBase(base);
    const given = withLearningRate(kind, planning.parameters, planned.config);
    const resolved = kind === 'sft' ? resolveSftConfig(given) : resolvePreferenceConfig(given);
    warnings.push(...warnOfLearningRate(kind, planning.parameters, resolved.learning_rate).map(toIssue));
    const validation = validationLines && splitLines(oneChunk(validationLines));
    const data = splitLines(oneChunk(lines));
    const plan =
      'method' in resolved
        ? await planPreference(data, resolved, planning, validation)
        : await planSft(data, resolved, planning, validation);
    return reportPlan(plan, [
      ...warnOfLines(kind, plan).map(toIssue),
      ...warnings,
      ...warnOfDroppedLines(plan.droppedLines, planning.contextLength).map(toIssue),
    ]);
  } catch (error) {
    return reportFailure(error, 0, warnings);
  }
}
