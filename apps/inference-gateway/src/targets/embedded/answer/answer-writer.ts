import type { AnswerEvent } from '@hone/engine';

/** Frames for the caller. */
export interface WrittenFrames {
  readonly bytes: Buffer;
  /** They carry text, a call, or the end of a choice. */
  readonly hasAnswer: boolean;
}

/** Puts the events of an answer into the bytes that the caller gets. */
export interface AnswerWriter {
  /** @returns what may go out now; null: nothing */
  write(event: AnswerEvent): WrittenFrames | null;
  /** After the last event: the whole body, or the last frames of a stream. */
  end(): Buffer;
}
