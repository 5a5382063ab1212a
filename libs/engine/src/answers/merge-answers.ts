import type { AnswerEvent, AnswerEvents } from './answer-event.js';

/** Merges choices that are generated separately into one answer with one prompt event. */
export async function* mergeAnswers(choices: readonly AnswerEvents[]): AnswerEvents {
  const pull = (index: number) => (choices[index] as AnswerEvents).next().then((result): Pulled => ({ index, result }));
  const pending = new Map(choices.map((_, index) => [index, pull(index)]));
  let hasPrompt = false;
  try {
    while (pending.size > 0) {
      const { index, result } = await Promise.race(pending.values());
      if (result.done) {
        pending.delete(index);
        continue;
      }
      pending.set(index, pull(index));
      if (result.value.kind === 'prompt' && hasPrompt) continue;
      hasPrompt ||= result.value.kind === 'prompt';
      yield result.value;
    }
  } finally {
    // The caller has left, or one choice has failed: results and errors of the other choices are dropped.
    for (const pulled of pending.values()) pulled.catch(() => undefined);
    for (const index of pending.keys()) void choices[index]?.return().catch(() => undefined);
  }
}

interface Pulled {
  readonly index: number;
  readonly result: IteratorResult<AnswerEvent, void>;
}
