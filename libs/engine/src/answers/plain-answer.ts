import type { GenerationEvent } from '../decode/batch/generation-event.js';
import type { AnswerEvents } from './answer-event.js';
import { TokenBuffer } from './token-buffer.js';

/** The answer of a request that calls no tools. Tokens without text are passed on with the next event of their choice. */
export async function* plainAnswer(events: AsyncIterable<GenerationEvent>, hasReports: boolean): AnswerEvents {
  const buffers = new Map<number, TokenBuffer>();
  const bufferOf = (choice: number): TokenBuffer => {
    const buffer = buffers.get(choice) ?? new TokenBuffer(hasReports);
    buffers.set(choice, buffer);
    return buffer;
  };
  for await (const event of events) {
    if (event.kind === 'prompt') {
      const { cachedTokens, logProbabilities } = event;
      yield { kind: 'prompt', cachedTokens, logProbabilities };
    } else if (event.kind === 'text') {
      bufferOf(event.choice).add(event);
      const { choice, text } = event;
      if (text !== '') yield { kind: 'text', choice, text, ...bufferOf(choice).take() };
    } else {
      const { choice, finishReason, stopReason } = event;
      yield { kind: 'finish', choice, finishReason, stopReason, ...bufferOf(choice).take() };
    }
  }
}
