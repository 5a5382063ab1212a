import type { GenerationEvent } from '@hone/engine';

import type { AnswerEvents } from './answer-event.js';
import { TokenBuffer } from './token-buffer.js';

/** Answers without tools: what the engine generates, with the tokens that show no text put to what follows them. */
export async function* plainAnswer(events: AsyncIterable<GenerationEvent>, hasReports: boolean): AnswerEvents {
  const baskets = new Map<number, TokenBuffer>();
  const basketOf = (choice: number): TokenBuffer => {
    const basket = baskets.get(choice) ?? new TokenBuffer(hasReports);
    baskets.set(choice, basket);
    return basket;
  };
  for await (const event of events) {
    if (event.kind === 'prompt') {
      const { cachedTokens, logProbabilities } = event;
      yield { kind: 'prompt', cachedTokens, logProbabilities };
    } else if (event.kind === 'text') {
      basketOf(event.choice).add(event);
      const { choice, text } = event;
      if (text !== '') yield { kind: 'text', choice, text, ...basketOf(choice).take() };
    } else {
      const { choice, finishReason, stopReason } = event;
      yield { kind: 'finish', choice, finishReason, stopReason, ...basketOf(choice).take() };
    }
  }
}
