import type { BodyConsumer, ConsumerHost } from './body-consumer.js';
import { type ErrorAnswer, MAX_ERROR_BYTES, readErrorAnswer } from './error/error-answer.js';

/** Reads the body of an error response, up to a limit. */
export class ErrorConsumer implements BodyConsumer {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    private readonly answer: Omit<ErrorAnswer, 'body'>,
    private readonly secrets: readonly string[],
    private readonly host: ConsumerHost,
  ) {
    // The status suffices when the body does not arrive.
    host.expectWithin(host.limits.stallMs, () => this.onEnd());
  }

  onData(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > MAX_ERROR_BYTES) this.onEnd();
    return true;
  }

  onEnd(): void {
    this.host.fail(readErrorAnswer({ ...this.answer, body: Buffer.concat(this.chunks) }, this.secrets));
  }

  produced(): null {
    return null;
  }
}
