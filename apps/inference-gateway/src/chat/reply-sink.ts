import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { CallEntry } from '../call-log/call-entry.js';
import { type AnswerFailure, failureFrame } from '../dispatch/answer/answer-failure.js';
import type { AnswerSink } from '../dispatch/answer/answer-sink.js';
import type { AnswerOutcome } from '../dispatch/answer/outcome.js';
import { toHttpChunk } from '../http/http-chunk.js';

/** Larger answers are not copied into one write. */
const ONE_WRITE_BYTES = 16_384;

/** Writes an answer directly to the caller's socket, and reports backpressure. */
export class ReplySink implements AnswerSink {
  private onRoom: () => void = () => undefined;
  private hasWritten = false;
  /** The connection's buffer is full, until its `drain`. */
  private isFull = false;

  /**
   * @param headers of every response to this request, lower-case; the sink adds to them
   * @param onSettle records a complete answer before its last bytes are sent; returns headers that are known then
   * @param entry gets the answer before that; null: nobody keeps it
   */
  constructor(
    private readonly response: ServerResponse,
    private readonly headers: Record<string, string>,
    private readonly onSettle: (outcome: AnswerOutcome) => Promise<Readonly<Record<string, string>>>,
    private readonly entry: CallEntry | null = null,
  ) {}

  /** Headers are sent together with the first bytes, which always follow at once. */
  commit(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, Object.assign(this.headers, headers));
  }

  write(bytes: Buffer): boolean {
    this.keep(bytes);
    return this.send(bytes);
  }

  /** Puts a part of the answer, frames of chat completions, into the call. A door that translates it calls {@link send} with its own. */
  keep(bytes: Buffer): void {
    this.entry?.answered(bytes);
  }

  /** @returns false: backpressure, send nothing more before `onDrain` */
  send(bytes: Buffer): boolean {
    const { response } = this;
    const { socket } = response;
    // A pipelined response has no socket yet, HTTP/1.0 has no chunks, and an empty chunk would end the body.
    if (!this.hasWritten || bytes.length === 0 || !(socket instanceof Socket) || !response.chunkedEncoding) {
      this.hasWritten = true;
      return response.write(bytes);
    }
    // Node would write a chunk in four pieces, at the end of the turn.
    if (socket.write(toHttpChunk(bytes))) return true;
    this.awaitRoom(socket);
    return false;
  }

  onDrain(run: () => void): void {
    this.onRoom = run;
    this.response.on('drain', run);
  }

  get pendingBytes(): number {
    return this.response.writableLength;
  }

  settle(outcome: AnswerOutcome, bytes: Buffer): Promise<void> {
    // What stands for the bytes costs a copy of them.
    const kept = this.entry?.keepsContent ? outcome.toKept?.() : undefined;
    this.keep(kept ?? bytes);
    this.entry?.keep(outcome.tokens ?? null, outcome.warnings ?? []);
    return this.onSettle(outcome).then((headers) => void Object.assign(this.headers, headers));
  }

  end(bytes: Buffer): void {
    const { response } = this;
    if (bytes.length > ONE_WRITE_BYTES) return void response.end(bytes);
    // Node puts the head and a string into one write, and latin1 keeps the bytes.
    const text = bytes.toString('latin1');
    if (response.chunkedEncoding) return void response.end(text, 'latin1');
    response.write(text, 'latin1');
    // Uncorking sends the text before the empty end, so that Node needs no writev.
    response.socket?.uncork();
    response.end();
  }

  /** Breaks the connection: what was sent cannot say that it is not whole. */
  breakOff(): void {
    this.response.destroy();
  }

  fail(failure: AnswerFailure): void {
    this.response.end(failureFrame(failure));
  }

  private awaitRoom(socket: Socket): void {
    if (this.isFull) return;
    this.isFull = true;
    socket.once('drain', () => {
      this.isFull = false;
      this.onRoom();
    });
  }
}
