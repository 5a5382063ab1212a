import type { AnswerEvent } from '@hone/engine';

/** Frames for the caller. */
export interface WrittenFrames {
  readonly bytes: Buffer;
  /** At least one frame has text, a call, or the end of a choice. */
  readonly hasAnswer: boolean;
}

/** Serialises the events of an answer for the caller. */
export interface AnswerWriter {
  /** @returns frames that may be sent now; null: none */
  write(event: AnswerEvent): WrittenFrames | null;
  /** After the last event: the whole body, or the last frames of a stream. */
  end(): Buffer;
}
