import type { BodyConsumer, ConsumerHost } from './body-consumer.js';
import { type ErrorAnswer, MAX_ERROR_BYTES, readErrorAnswer } from './error/error-answer.js';

/** Reads an error's body, as far as it is of use. */
export class ErrorConsumer implements BodyConsumer {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    private readonly answer: Omit<ErrorAnswer, 'body'>,
    private readonly secrets: readonly string[],
    private readonly host: ConsumerHost,
  ) {
    // The status says enough when the body does not come.
    host.expectWithin(host.limits.stallMs, () => this.onEnd());
  }

  onData(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > MAX_ERROR_BYTES) this.onEnd();
  }

  onEnd(): void {
    this.host.fail(readErrorAnswer({ ...this.answer, body: Buffer.concat(this.chunks) }, this.secrets));
  }

  produced(): null {
    return null;
  }
}
