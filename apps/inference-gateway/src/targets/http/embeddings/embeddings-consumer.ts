import type { TokenUsage } from '../../target.js';
import type { BodyConsumer, ConsumerHost } from '../body-consumer.js';
import type { EmbeddingAnswer } from './embedding-answer.js';

const MAX_BODY_BYTES = 64 * 1_048_576;

/** Reads the body of a request for embeddings, and adds what it holds to the answer. */
export class EmbeddingsConsumer implements BodyConsumer {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  /**
   * @param count inputs that the body answers
   * @param estimate usage of a body that does not report it
   */
  constructor(
    private readonly answer: EmbeddingAnswer,
    private readonly count: number,
    private readonly host: ConsumerHost,
    private readonly estimate: () => TokenUsage,
  ) {
    host.expectWithin(host.limits.stallMs, () =>
      host.fail({ reason: 'stalled', message: 'The upstream stopped amid its answer.' }),
    );
  }

  onData(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > MAX_BODY_BYTES) {
      this.host.fail({ reason: 'oversized', message: 'The upstream sent a body that is too large.' });
    }
    return true;
  }

  onEnd(): void {
    const { answer } = this;
    const failure = answer.add(Buffer.concat(this.chunks), this.count);
    if (failure !== null) return this.host.fail(failure);
    const usage = answer.hasUsage ? reported(answer.promptTokens) : this.estimate();
    this.host.complete({ bytes: answer.toBytes(usage.promptTokens), usage, oddities: [] });
  }

  /** The usage of an incomplete body is unknown. */
  produced(): null {
    return null;
  }
}

const reported = (promptTokens: number): TokenUsage => ({
  promptTokens,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  source: 'upstream',
});
