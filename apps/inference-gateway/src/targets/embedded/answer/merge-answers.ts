import type { AnswerEvent, AnswerEvents } from './answer-event.js';

/** Choices that are generated each by itself, as one answer: their prompt was read once. */
export async function* mergeAnswers(choices: readonly AnswerEvents[]): AnswerEvents {
  const pull = (index: number) => (choices[index] as AnswerEvents).next().then((result): Pulled => ({ index, result }));
  const waiting = new Map(choices.map((_, index) => [index, pull(index)]));
  let hasPrompt = false;
  try {
    while (waiting.size > 0) {
      const { index, result } = await Promise.race(waiting.values());
      if (result.done) {
        waiting.delete(index);
        continue;
      }
      waiting.set(index, pull(index));
      if (result.value.kind === 'prompt' && hasPrompt) continue;
      hasPrompt ||= result.value.kind === 'prompt';
      yield result.value;
    }
  } finally {
    // What the others still come to is of no interest, their failures included.
    for (const pulled of waiting.values()) pulled.catch(() => undefined);
    for (const index of waiting.keys()) void choices[index]?.return().catch(() => undefined);
  }
}

interface Pulled {
  readonly index: number;
  readonly result: IteratorResult<AnswerEvent, void>;
}
