import type { Oddity, TokenUsage } from '../target.js';
import type { BodyConsumer, ConsumerHost } from './body-consumer.js';
import type { StreamReader } from './stream/stream-reader.js';
import type { AnswerTokens } from './tokens/answer-tokens.js';

/** Reads a stream until the answer is known to be complete. */
export class StreamConsumer implements BodyConsumer {
  private phase: 'begins' | 'answers' | 'finished' = 'begins';

  /** @param estimate estimates the usage from the number of frames with a token */
  constructor(
    private readonly stream: StreamReader,
    private readonly host: ConsumerHost,
    private readonly estimate: (tokenFrames: number) => TokenUsage,
    /** Null: nobody keeps the answer's tokens. */
    private readonly tokens: AnswerTokens | null = null,
  ) {}

  onData(chunk: Buffer): boolean {
    const text = this.stream.passText(chunk);
    if (text === null) return this.read(chunk);
    this.host.frames(text, true);
    if (this.phase === 'begins') this.watch();
    return true;
  }

  private read(chunk: Buffer): boolean {
    const { frames, hasAnswer, hasAdvanced, failure } = this.stream.push(chunk);
    if (frames !== null) this.host.frames(frames, hasAnswer);
    if (failure !== null) this.host.fail(failure);
    else if (this.stream.isDone) this.complete([]);
    else this.watch();
    return hasAdvanced;
  }

  onEnd(): void {
    const { frames, hasAnswer, failure } = this.stream.end();
    if (frames !== null) this.host.frames(frames, hasAnswer);
    if (failure !== null) this.host.fail(failure);
    else this.complete(this.stream.isDone ? [] : ['done_missing']);
  }

  produced(): TokenUsage {
    return this.stream.usage ?? this.estimate(this.stream.tokenFrames);
  }

  get malformedFrames(): number {
    return this.stream.malformedFrames;
  }

  private watch(): void {
    const { limits } = this.host;
    if (this.stream.isFinished && this.phase !== 'finished') {
      this.phase = 'finished';
      this.host.expectWithin(limits.doneGraceMs, () => this.complete(['done_missing']));
    } else if (this.stream.hasStarted && this.phase === 'begins') {
      this.phase = 'answers';
      this.host.expectWithin(limits.stallMs, () => this.host.fail(this.stream.silence));
    }
  }

  private complete(oddities: Oddity[]): void {
    const failure = this.stream.lostPart();
    if (failure !== null) return this.host.fail(failure);
    const usage = this.produced();
    if (this.stream.malformedFrames > 0) oddities.push('malformed_frame');
    const { finishReasons } = this.stream;
    const { tokens } = this;
    const kept = tokens && { tokens: tokens.kept };
    this.host.complete({ bytes: this.stream.takeRest(usage), usage, oddities, finishReasons, ...kept });
  }
}
