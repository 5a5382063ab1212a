import type { JsonValue } from '@hone/contracts';

/** A call as scorers see it. */
export interface JudgedCall {
  readonly id: string;
  readonly hasEnded: boolean;
  /** Milliseconds from its start to its end; null: it has not ended. */
  readonly latencyMs: number | null;
  /** Null: its values are too large to be judged. */
  readonly values: CallValues | null;
}

export interface CallValues {
  readonly attributes: JsonValue;
  readonly inputs: JsonValue;
  readonly output: JsonValue;
}
