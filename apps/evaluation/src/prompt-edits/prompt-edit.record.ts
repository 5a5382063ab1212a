import type { DroppedEdit, JsonObject, JsonValue, PromptEditCreateDto, PromptEditStatus } from '@hone/contracts';

import type { Claim, LeasedJob, Settlement } from '../queue/claim.record.js';
import type { VersionKey } from '../stored-objects/stored-objects.service.js';

/** The score that decides. */
export interface DecidingScore {
  /** Number of its scorer, which counts from 1. */
  readonly scorer: number;
  /** What the scorer calls it. */
  readonly name: string;
  readonly isTag: boolean;
  readonly scale: readonly [min: number, max: number];
  readonly lowerIsBetter: boolean;
}

/** What a job does, by versions that never change. */
export interface PromptEditPlan {
  readonly settings: PromptEditCreateDto;
  readonly prompt: VersionKey;
  /** Of the prompt. */
  readonly messages: JsonObject[];
  readonly model: string;
  readonly reflectionModel: string;
  /** Further members of each request for an answer. */
  readonly parameters: JsonObject;
  readonly scorers: readonly VersionKey[];
  readonly metric: DecidingScore;
  /** Digests of rows on which edits are tried. */
  readonly practice: readonly string[];
  /** Digests of rows that decide at the end. */
  readonly heldOut: readonly string[];
}

/** The best edit, as it was at the end. */
export interface BestEdit {
  readonly candidate: number;
  /** Digest of the new version; null: on the held-out rows it is no better. */
  readonly digest: string | null;
  readonly rows: number;
  readonly originalMean: number | null;
  readonly editMean: number | null;
}

/** A job in which a model edits a prompt after reading where it failed. */
export interface PromptEditJob extends LeasedJob {
  readonly plan: PromptEditPlan;
  readonly seed: number;
  readonly maxEvaluations: number;
  readonly costNanoUsd: number;
  readonly status: PromptEditStatus;
  readonly best: BestEdit | null;
  readonly error: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** A row of the job's table of items, by which the search knows how far it is. */
export interface EditItem {
  readonly jobId: string;
  /** 0: the original. */
  readonly candidate: number;
  /** Empty: the edit that makes the candidate. */
  readonly rowDigest: string;
  /** 0: the answer; 1 and more: what this scorer of the plan finds about it. */
  readonly scorer: number;
  /** Candidate that an edit is made of. */
  readonly parent: number | null;
  readonly state: 'pending' | 'running' | 'done' | 'skipped' | 'failed';
  readonly code: string | null;
  /** Of the metric; null: it was not found. */
  readonly score: number | null;
}

/** An item that this process is to settle. */
export interface EditItemClaim extends Claim, Pick<EditItem, 'candidate' | 'rowDigest' | 'scorer' | 'parent'> {}

/** What came of an item, as it is stored until the job is over, that of an edit for good. */
export type EditResult = EditFound | AnswerFound | ScoreFound;

export interface EditFound {
  /** Null: there are none. */
  readonly messages: JsonObject[] | null;
  /** Why it was dropped, as a sentence; null: it was not. */
  readonly detail: string | null;
}

export interface AnswerFound {
  readonly output: JsonValue;
  readonly latencyMs: number;
  readonly costNanoUsd: number;
}

export interface ScoreFound {
  readonly values: Readonly<Record<string, number | boolean>>;
  readonly reason: string | null;
}

export interface EditItemSettlement extends Settlement {
  readonly score: number | null;
  readonly result: EditResult | null;
}

/** Why an edit is dropped as soon as it is there: the code of its item, which is skipped. */
export type DroppedAtOnce = Extract<DroppedEdit, 'leak' | 'malformed' | 'repeated'>;
