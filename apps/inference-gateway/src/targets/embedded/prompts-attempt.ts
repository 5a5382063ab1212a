import { joinedUsage } from '../joined-usage.js';
import type { AnswerReader, CompleteAnswer, RunningAttempt, TokenUsage } from '../target.js';

type Json = Record<string, unknown>;

/** Begins the answer to one prompt. */
type Begin = (prompt: number, reader: AnswerReader) => RunningAttempt;

/** Answers several prompts at once, in one body: all choices of the first prompt come first. One failure ends all. */
export class PromptsAttempt implements RunningAttempt {
  private readonly running: RunningAttempt[];
  private readonly answers: (CompleteAnswer | null)[];
  private missing: number;

  constructor(
    prompts: number,
    begin: Begin,
    private readonly reader: AnswerReader,
  ) {
    this.missing = prompts;
    this.answers = Array.from({ length: prompts }, () => null);
    this.running = this.answers.map((_answer, prompt) => begin(prompt, this.readerOf(prompt)));
  }

  pause(): void {
    for (const attempt of this.running) attempt.pause();
  }

  resume(): void {
    for (const attempt of this.running) attempt.resume();
  }

  abort(): void {
    for (const attempt of this.running) attempt.abort();
  }

  produced(): TokenUsage {
    return joinedUsage(this.running.map((attempt) => attempt.produced()));
  }

  private readerOf(prompt: number): AnswerReader {
    return {
      onFrames: () => undefined,
      onFailure: (failure) => {
        if (this.missing <= 0) return;
        this.missing = 0;
        this.abort();
        this.reader.onFailure(failure);
      },
      onComplete: (answer) => {
        this.answers[prompt] = answer;
        if (--this.missing === 0) this.reader.onComplete(joined(this.answers as readonly CompleteAnswer[]));
      },
    };
  }
}

function joined(answers: readonly CompleteAnswer[]): CompleteAnswer {
  const bodies = answers.map(({ bytes }) => JSON.parse(bytes.toString()) as Json & { choices: Json[] });
  const choices = bodies.flatMap(({ choices, prompt_logprobs: logprobs, prompt_token_ids: ids, prompt_texts: texts }) =>
    choices.map((choice) => ({ ...choice, prompt_logprobs: logprobs, prompt_token_ids: ids, prompt_texts: texts })),
  );
  const usage = joinedUsage(answers.map(({ usage: own }) => own));
  const body = {
    ...bodies[0],
    choices: choices.map((choice, index) => ({ ...choice, index })),
    usage: {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      total_tokens: usage.promptTokens + usage.completionTokens,
    },
  };
  return {
    bytes: Buffer.from(JSON.stringify(body)),
    usage,
    oddities: [],
    finishReasons: answers.flatMap(({ finishReasons = [] }) => finishReasons),
  };
}
