import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { AnswerSink } from '../../dispatch/answer-sink.js';
import type { AnswerOutcome } from '../../dispatch/outcome.js';

import { toHttpChunk } from '../../edge/http-chunk.js';

/** Larger answers are not worth a copy. */
const ONE_WRITE_BYTES = 16_384;

/** Writes an answer straight to the caller's connection: no framework between the upstream's bytes and theirs. */
export class ReplySink implements AnswerSink {
  private onRoom: () => void = () => undefined;
  private hasWritten = false;
  /** The connection's buffer is full, until its `drain`. */
  private isFull = false;

  /**
   * @param headers of every answer to this request, lower-case; the sink adds to them
   * @param onSettle puts a whole answer on record before its last bytes go out; returns headers that then are known
   */
  constructor(
    private readonly response: ServerResponse,
    private readonly headers: Record<string, string>,
    private readonly onSettle: (outcome: AnswerOutcome) => Promise<Readonly<Record<string, string>>>,
  ) {}

  /** They leave together with the first bytes, which always follow at once. */
  commit(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, Object.assign(this.headers, headers));
  }

  write(bytes: Buffer): boolean {
    const { response } = this;
    const { socket } = response;
    // A pipelined answer has no connection before its turn, and HTTP/1.0 no chunks; an empty one would end the body.
    if (!this.hasWritten || bytes.length === 0 || !(socket instanceof Socket) || !response.chunkedEncoding) {
      this.hasWritten = true;
      return response.write(bytes);
    }
    // Node would hand a chunk over in four pieces, and at the end of the turn.
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

  settle(outcome: AnswerOutcome): Promise<void> {
    return this.onSettle(outcome).then((headers) => void Object.assign(this.headers, headers));
  }

  end(bytes: Buffer): void {
    const { response } = this;
    if (bytes.length > ONE_WRITE_BYTES) return void response.end(bytes);
    // Node puts the head and a text into one write, and a text of this encoding is the bytes themselves.
    const text = bytes.toString('latin1');
    if (response.chunkedEncoding) return void response.end(text, 'latin1');
    response.write(text, 'latin1');
    // Gone before the end is written, which is empty, the text needs no list of pieces.
    response.socket?.uncork();
    response.end();
  }

  fail(frame: Buffer): void {
    this.response.end(frame);
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
