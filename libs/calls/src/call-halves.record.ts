import type { DerivedEnd, DerivedStart } from './derived/derived.js';

/** A JSON value on its way into the database. */
export interface JsonDraft {
  /** Exact compact text. */
  text: string;
  /** Copy for expressions where jsonb refuses the text, or it is in chunks; null: the text serves itself, or there is none. */
  searchable: string | null;
  /** Refs among the string values, without scheme, each once. */
  refs: string[];
}

/** The same of text in UTF-8. */
export interface JsonBytes {
  readonly bytes: Buffer;
  readonly searchable: string | null;
  readonly refs: readonly string[];
}

/** First half of a call. */
export interface CallStart {
  opName: string;
  /** Null: keep the one that the call has. */
  displayName: string | null;
  /** Null: keep the one that the call has, else make one. */
  traceId: string | null;
  parentId: string | null;
  threadId: string | null;
  turnId: string | null;
  startedAt: Date;
  attributes: JsonDraft;
  inputs: JsonDraft;
  runId: string | null;
  runStep: number | null;
  /** Null: its columns are filled later. */
  derived: DerivedStart | null;
}

/** Second half of a call. */
export interface CallEnd {
  /** Null: the call still runs, though its result is known. */
  endedAt: Date | null;
  exception: string | null;
  output: JsonDraft;
  summary: JsonDraft;
  /** `summary.status_counts.error` is above 0. */
  hasDescendantError: boolean;
  /** Name to show, which some clients know only at the end; null: keep the one that the call has. */
  displayName: string | null;
  runStepEnd: number | null;
  /** Null: its columns are filled later. */
  derived: DerivedEnd | null;
}

/** A call with the halves that were sent of it. */
export interface CallDraft {
  /** `<entity>/<project>`. */
  projectId: string;
  /** Row id of the project. */
  projectRowId: string;
  id: string;
  svcUserId: string;
  start: CallStart | null;
  end: CallEnd | null;
}
