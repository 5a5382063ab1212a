import type { ServerResponse } from 'node:http';

import type { AnswerOutcome, AnswerSink } from '../routing/answer-sink.js';

/** Writes an answer straight to the caller's connection: no framework between the upstream's bytes and theirs. */
export class ReplySink implements AnswerSink {
  private settled: Readonly<Record<string, string>> = {};

  /**
   * @param headers of every answer to this request, lower-case
   * @param onSettle puts a whole answer on record before its last bytes go out; returns headers that then are known
   */
  constructor(
    private readonly response: ServerResponse,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly onSettle: (outcome: AnswerOutcome) => Promise<Readonly<Record<string, string>>>,
  ) {}

  commit(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, { ...this.headers, ...headers, ...this.settled });
    this.response.flushHeaders();
  }

  write(bytes: Buffer): boolean {
    return this.response.write(bytes);
  }

  onDrain(run: () => void): void {
    this.response.on('drain', run);
  }

  get pendingBytes(): number {
    return this.response.writableLength;
  }

  async settle(outcome: AnswerOutcome): Promise<void> {
    this.settled = await this.onSettle(outcome);
  }

  end(bytes: Buffer): void {
    this.response.end(bytes);
  }

  fail(frame: Buffer): void {
    this.response.end(frame);
  }
}
