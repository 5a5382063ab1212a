import type { ErrorMessage } from '../error-message.js';
import type { ConstraintSource } from './constraint.js';

/** The `workerData` of the thread. */
export interface ConstraintThreadData {
  /** Bytes of all tokens, one after the other; none for tokens that never stand in a text. */
  readonly bytes: Uint8Array;
  /** Per token id: where its bytes end. */
  readonly ends: Uint32Array;
  /** Tokens that end an answer. */
  readonly endIds: readonly number[];
  /** States that the patterns of one constraint may have together. */
  readonly maxStates: number;
}

export type ToConstraints =
  /** Compiles a source, then replays tokens that were accepted before the thread was restarted. */
  | {
      readonly type: 'open';
      readonly id: number;
      readonly source: ConstraintSource;
      readonly accepted: readonly number[];
    }
  /** The logit mask after the token is the answer. `isSilent`: there is none, a proposal will follow. */
  | { readonly type: 'accept'; readonly id: number; readonly token: number; readonly isSilent: boolean }
  /** Accepts the token if it is allowed; the answer says so, or is the mask that forbids it. */
  | { readonly type: 'propose'; readonly id: number; readonly token: number }
  | { readonly type: 'close'; readonly id: number };

export type FromConstraints =
  | { readonly type: 'ready' }
  /** The logit mask after `accepted` tokens; `workMs`: how long the thread worked on it. */
  | {
      readonly type: 'mask';
      readonly id: number;
      readonly accepted: number;
      readonly mask: Uint32Array;
      readonly workMs: number;
    }
  /** The proposed token was accepted, as the last of `accepted`. */
  | { readonly type: 'accepted'; readonly id: number; readonly token: number; readonly accepted: number }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorMessage };
