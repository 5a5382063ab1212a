import type { JsonValue } from '@hone/contracts';

/** First half of a call. */
export interface CallStart {
  id: string;
  opName: string;
  displayName: string | null;
  /** Null: keep the one that the call has, else make one. */
  traceId: string | null;
  parentId: string | null;
  threadId: string | null;
  turnId: string | null;
  startedAt: Date;
  attributes: JsonValue;
  inputs: JsonValue;
  runId: string | null;
  runStep: number | null;
  svcUserId: string;
}

/** Second half of a call. */
export interface CallEnd {
  id: string;
  endedAt: Date;
  exception: string | null;
  output: JsonValue;
  summary: JsonValue;
  runStepEnd: number | null;
  svcUserId: string;
}
