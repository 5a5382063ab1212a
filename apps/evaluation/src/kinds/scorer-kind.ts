import type { JsonObject, ScorerDefinitionDto } from '@hone/contracts';

import type { GatewaySession } from '../gateway/gateway-session.js';
import type { JudgedCall } from '../judged-calls/judged-call.js';

/** What a scorer found about one call. */
export interface Outcome {
  /** `skipped`: the call has nothing that the scorer judges; `failed`: there is no verdict. */
  readonly state: 'done' | 'skipped' | 'failed';
  /** Why it was skipped or failed; null: it was not. */
  readonly code: string | null;
  /** Name -> number, and the scale that it is on. */
  readonly ratings: readonly Rating[];
  /** What is so. */
  readonly tags: readonly string[];
  readonly reason: string | null;
  /** What its feedback says besides; null: nothing. */
  readonly details: JsonObject | null;
  /** Ref of the call in which a model judged; null: none did, or it was not kept. */
  readonly judgeCall: string | null;
  readonly costNanoUsd: number;
  /** Whether a request was sent whose cost is not known yet. */
  readonly isCostOpen: boolean;
  /** Of a failure: whether it may be gone later. */
  readonly isTransient: boolean;
}

export interface Rating {
  readonly name: string;
  readonly value: number;
  /** Least and largest number; null: the value has no scale. */
  readonly scale: readonly [number, number] | null;
  /** Standard deviation over votes; null: there was one. */
  readonly spread: number | null;
}

const NOTHING = {
  ratings: [],
  tags: [],
  reason: null,
  details: null,
  judgeCall: null,
  costNanoUsd: 0,
  isCostOpen: false,
};

/** An outcome without a verdict. */
export const withoutVerdict = (
  state: 'skipped' | 'failed',
  code: string,
  more: Partial<Pick<Outcome, 'isTransient' | 'costNanoUsd' | 'isCostOpen'>> = {},
): Outcome => ({ ...NOTHING, isTransient: false, ...more, state, code });

/** A verdict. */
export const verdict = (
  found: Pick<Outcome, 'ratings'> & Partial<Omit<Outcome, 'state' | 'code' | 'isTransient'>>,
): Outcome => ({ ...NOTHING, ...found, state: 'done', code: null, isTransient: false });

/** In whose name, and where, calls are judged. */
export interface JudgeContext {
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly projectRowId: string;
  /** Asks the gateway in the name of whoever had the calls judged. */
  readonly session: GatewaySession;
  /** Object id of the scorer; null: a draft. */
  readonly scorerId: string | null;
  /** Begins the ids of requests about a call. */
  readonly requestIdOf: (call: JudgedCall) => string;
  /** Id of the call whose answer a call's is compared with; null: there is none. Absent: the scorer says what with. */
  readonly againstOf?: (call: JudgedCall) => string | null;
  readonly signal: AbortSignal;
}

/** A kind of scorers: add one to `kinds.ts`, and its definition to `libs/contracts/src/evaluation`. */
export interface ScorerKind {
  /** Calls that are judged together. */
  readonly batchSize: number;
  /** What makes a definition unusable that has its form, as a sentence; null: nothing. */
  faultOf: (definition: ScorerDefinitionDto) => Promise<string | null>;
  /** @returns an outcome for each call, in their order; it throws nothing but what aborts the whole */
  judge: (
    calls: readonly JudgedCall[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
  ) => Promise<readonly Outcome[]>;
}
