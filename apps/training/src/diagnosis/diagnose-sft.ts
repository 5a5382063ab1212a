import type { DiagnosisIssueDto } from '@hone/contracts';
import {
  planSft,
  resolveSftConfig,
  type SftConfigInput,
  splitLines,
  warnOfDroppedLines,
  warnOfLearningRate,
  warnOfNarrowLines,
  withLearningRate,
} from '@hone/engine';

import type { BaseFolder } from '../base-models/base-models.js';
import { type Diagnosis, reportFailure, reportPlan, toIssue } from './diagnosis-report.js';
import { oneChunk } from './one-chunk.js';
import { openPlanningBase } from './planning-base.js';

export interface SftCase {
  /** JSON Lines. */
  readonly lines: Uint8Array;
  /** The same of the validation data; null: it has no file, or one that is not checked. */
  readonly validationLines: Uint8Array | null;
  readonly config: SftConfigInput | null;
  readonly base: BaseFolder;
}

/** Dry run of a fine-tuning job: plans it without training. */
export async function diagnoseSft({ lines, validationLines, config, base }: SftCase): Promise<Diagnosis> {
  const warnings: DiagnosisIssueDto[] = [];
  try {
    const planning = await openPlanningBase(base);
    const resolved = resolveSftConfig(withLearningRate('sft', planning.parameters, config));
    warnings.push(...warnOfLearningRate('sft', planning.parameters, resolved.learning_rate).map(toIssue));
    const validation = validationLines && splitLines(oneChunk(validationLines));
    const plan = await planSft(splitLines(oneChunk(lines)), resolved, planning, validation);
    return reportPlan(plan, [
      ...warnOfNarrowLines(plan).map(toIssue),
      ...warnings,
      ...warnOfDroppedLines(plan.droppedLines, planning.contextLength).map(toIssue),
    ]);
  } catch (error) {
    return reportFailure(error, 0, warnings);
  }
}
