import type { JsonObject, ScoringStatus } from '@hone/contracts';

import type { Claim, LeasedJob, Settlement } from '../queue/claim.record.js';
import type { VersionKey } from '../stored-objects/stored-objects.service.js';

/** A prompt object that a candidate asks with. */
export interface PlannedPrompt extends VersionKey {
  /** Names of its variables. */
  readonly variables: readonly string[];
}

/** Who answers the rows. */
export interface PlannedCandidate {
  /** Its model object. */
  readonly model: VersionKey;
  /** As requests name it; null: the prompt says. */
  readonly asked: string | null;
  readonly prompt: PlannedPrompt | null;
  /** Further members of each request. */
  readonly parameters: JsonObject;
  /** Id of its evaluation run, which is that of a call. */
  readonly runId: string;
}

/** What a job does, by versions that never change. */
export interface EvaluationPlan {
  readonly evaluation: VersionKey;
  /** Digest of the table of the dataset's rows. */
  readonly table: string;
  readonly scorers: readonly VersionKey[];
  readonly candidates: readonly PlannedCandidate[];
  /** Absent: no answers are compared with others. */
  readonly baseline?: PlannedBaseline;
}

/** What scorers compare answers with, row by row and trial by trial. */
export interface PlannedBaseline {
  /** Id of the evaluation run whose answers they are. */
  readonly runId: string;
  /** The candidate that makes the run; null: it was there before. */
  readonly candidate: number | null;
  /** Numbers of the scorers that compare, which count from 1. */
  readonly scorers: readonly number[];
}

/** A job that asks candidates the rows of a dataset, and has scorers judge what they answer. */
export interface EvaluationJob extends LeasedJob {
  readonly plan: EvaluationPlan;
  readonly trials: number;
  /** Cells in flight at once. */
  readonly concurrency: number;
  /** Of the first trial. */
  readonly seed: number;
  readonly costNanoUsd: number;
  readonly status: ScoringStatus;
  /** Null: its cells are not there yet. */
  readonly rowCount: number | null;
  readonly error: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Candidates whose summaries are written, the first ones. */
  readonly endedCandidates: number;
  /** How often its failed cells were tried again on request. */
  readonly retries: number;
  /** How its cells ended; null: they are to be counted. */
  readonly counts: readonly CellCount[] | null;
}

/** A cell that this process is to settle: the answer to a row, or what a scorer finds about one. Its id is that of its call. */
export interface CellClaim extends Claim {
  /** Counts from 0. */
  readonly candidate: number;
  readonly rowDigest: string;
  /** Counts from 1. */
  readonly rowNumber: number;
  /** Counts from 0. */
  readonly trial: number;
  /** 0: the answer; 1 and more: what this scorer of the plan finds. */
  readonly scorer: number;
  /** Of a score: the cell of the answer. */
  readonly answerUid: string | null;
  /** Id of the call whose answer this one is compared with; null: there is none. */
  readonly againstCall: string | null;
}

/** What the summary of a run is made of. */
export type CellResult = AnswerResult | ScoreResult;

export interface AnswerResult {
  readonly latencyMs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

export interface ScoreResult {
  readonly values: Readonly<Record<string, number | boolean>>;
  readonly costNanoUsd: number;
}

export interface CellSettlement extends Settlement {
  /** Null: there is nothing to sum up. */
  readonly result: CellResult | null;
}

/** A settled cell, for the summary. */
export interface SettledCell {
  readonly scorer: number;
  readonly state: 'done' | 'skipped' | 'failed';
  /** Of all its tries. */
  readonly costNanoUsd: number;
  readonly result: CellResult | null;
}

/** How many cells of a candidate are in a state for a reason. */
export interface CellCount {
  readonly jobId: string;
  readonly candidate: number;
  readonly isScore: boolean;
  readonly state: 'pending' | 'running' | 'done' | 'skipped' | 'failed';
  readonly code: string | null;
  readonly cells: number;
  readonly costNanoUsd: number;
  /** Digest of one of the rows. */
  readonly rowDigest: string;
}
