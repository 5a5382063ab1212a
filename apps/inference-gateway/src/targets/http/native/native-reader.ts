import type { TokenUsage } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';

/**
 * What an event is to its answer: a part of it, a sign that the upstream works on it, or neither, such as a ping. Only an
 * `answer` begins what the caller gets, and neither `idle` events nor comments keep an attempt alive.
 */
export type EventKind = 'answer' | 'step' | 'idle';

/** Knows when an answer in a door's own form is whole. One object reads one answer. */
export interface NativeReader {
  /** Member of events that holds the answer's head, whose id is replaced. */
  readonly headMember: string;
  /** As reported so far; null: nothing was. */
  readonly usage: TokenUsage | null;
  /** What the answer's end would be called in a chat completion; null: it has not ended. */
  readonly finishReason: string | null;
  /** Nothing follows. */
  readonly isDone: boolean;
  /** Deltas so far. */
  readonly deltas: number;
  /** @returns what the event is, or why the answer failed */
  read(event: Record<string, unknown>): EventKind | TargetFailure;
  /** Reads an answer that came whole. @returns null: it is one */
  readWhole(answer: Record<string, unknown>): TargetFailure | null;
  /** What a stream still needs behind the frames that came. */
  readonly end: string;
}
