import type { AnswerFailure } from '../../dispatch/answer/answer-failure.js';
import type { Chunk, Completion } from './chat-json.js';

/** Writes an answer as a door's callers read it. One object writes one answer. */
export interface AnswerForm {
  /** The whole answer, unstreamed. */
  whole(completion: Completion): object;
  /** The events that a chunk becomes, as server-sent events; empty: none. */
  chunk(chunk: Chunk): string;
  /**
   * The events of a chunk that adds nothing but a text to the only choice, without reading the chunk. A form without it
   * gets every chunk.
   *
   * @param json of the text, without quotes
   * @returns null: it must be read as a chunk
   */
  text?(json: string): string | null;
  /** The events after the last chunk of a whole answer. */
  end(): string;
  /** The last event of a stream that failed. */
  fail(failure: AnswerFailure): string;
}
