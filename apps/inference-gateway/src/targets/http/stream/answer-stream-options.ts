import type { AnswerTokens } from '../tokens/answer-tokens.js';
import type { AnswerNames } from './frame-rewriter.js';

/** How the frames of one upstream are read and rewritten. */
export interface AnswerStreamOptions {
  /** What the caller's answer is called. */
  readonly names: AnswerNames;
  /** The model's name at the upstream, for frames of the gateway when the upstream's name none. */
  readonly model: string;
  /** `n` of the request. */
  readonly choices: number;
  /** The caller gets the usage frame. */
  readonly wantsUsageFrame: boolean;
  /** The caller gets the usage so far in every frame. Absent: false. */
  readonly wantsContinuousUsage?: boolean;
  /** The upstream sends one frame per token, so the usage reveals a lost frame. */
  readonly hasTokenFrames: boolean;
  /** Takes the tokens out of the frames; absent or null: nobody keeps them. */
  readonly tokens?: AnswerTokens | null;
}
