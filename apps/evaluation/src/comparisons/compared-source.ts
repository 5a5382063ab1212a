import type { ComparedRunDto, JudgeTruthDto } from '@hone/contracts';

import type { RowStatuses, TrialCounts } from './assembly/comparison-order.js';
import type { TrialTexts } from './compared-lines.repository.js';
import type { SliceCondition } from './slices.sql.js';

type Described = Omit<ComparedRunDto, keyof TrialCounts | keyof RowStatuses> & Partial<RowStatuses>;

/** What is compared with each other, and what is read of it, as texts that a thread parses. */
export interface ComparedSource {
  /** The baseline first, without what only its trials tell. */
  readonly described: readonly Described[];
  /** Whether nothing comes any more. */
  readonly hasEnded: boolean;
  trials(): Promise<TrialTexts>;
  /** Texts of `UsageLine`s. @param changes when prices change */
  usage(changes: readonly Date[]): Promise<string[]>;
  /** Texts of `AnswerLine`s. */
  answers(): Promise<string[]>;
  /** Texts of `LabelLine`s. */
  labels(truths: readonly JudgeTruthDto[]): Promise<string[]>;
  /** Texts of `RowLine`s. */
  rows(conditions: readonly SliceCondition[]): Promise<string[]>;
}
