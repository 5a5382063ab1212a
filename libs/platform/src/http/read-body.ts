import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** `Content-Encoding` -> what inflates it. Each surface says which of them it takes. */
const INFLATERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };

export type ContentCoding = keyof typeof INFLATERS;

/** Inflates a coding; undefined: the body is not coded. */
export const inflaterFor = (coding: ContentCoding | 'identity'): Transform | undefined =>
  coding === 'identity' ? undefined : INFLATERS[coding]();

/** The coding of a request. @returns null: it is none of `accepted`, and not absent */
export function codingOf(
  header: string | undefined,
  accepted: readonly ContentCoding[],
): ContentCoding | 'identity' | null {
  const coding = header?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity') return coding;
  return accepted.find((one) => one === coding) ?? null;
}

/** Why a body cannot be read; `aborted`: the client left. */
export type BodyFailure = 'too_large' | 'corrupt' | 'timeout' | 'aborted';

export class BodyReadError extends Error {
  constructor(readonly reason: BodyFailure) {
    super(`The body cannot be read: ${reason}.`);
  }
}

export interface ReadBodyOptions {
  readonly coding: ContentCoding | 'identity';
  /** Of the inflated body. */
  readonly maxBytes: number;
  /** Starts the time limit of the body. @returns cancels it. Absent: the server's own limits suffice */
  readonly startTimer?: (onTimeout: () => void) => { cancel(): void };
  /** The error that the promise is rejected with. Default: {@link BodyReadError} */
  readonly toError?: (reason: BodyFailure) => Error;
}

/**
 * Reads a whole body and inflates it. The rest of a refused body is read and dropped, so that the client gets to read
 * the answer.
 *
 * @throws BodyReadError, or what `toError` makes of its reason (the promise is rejected)
 */
export function readBody(payload: Readable, options: ReadBodyOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => new BodyReader(payload, options, resolve, reject).start());
}

class BodyReader {
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private isOver = false;
  private timer: { cancel(): void } | undefined;
  private readonly inflater: Transform | undefined;
  private readonly source: Readable;

  constructor(
    private readonly payload: Readable,
    private readonly options: ReadBodyOptions,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.inflater = inflaterFor(options.coding);
    this.source = this.inflater ? payload.pipe(this.inflater) : payload;
  }

  start(): void {
    const { payload, source } = this;
    this.timer = this.options.startTimer?.(() => this.refuse('timeout'));
    source.on('data', (chunk: Buffer) => this.add(chunk));
    source.on('end', () => this.end());
    payload.on('error', () => this.refuse('aborted'));
    // A lost connection closes the payload before its end, with or without an error.
    payload.on('close', () => {
      if (!payload.readableEnded) this.refuse('aborted');
    });
    if (source !== payload) source.on('error', () => this.refuse('corrupt'));
  }

  private add(chunk: Buffer): void {
    if (this.isOver) return;
    this.size += chunk.length;
    if (this.size > this.options.maxBytes) this.refuse('too_large');
    else this.chunks.push(chunk);
  }

  private end(): void {
    if (this.isOver) return;
    this.close();
    const { chunks } = this;
    this.resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, this.size));
  }

  private refuse(reason: BodyFailure): void {
    if (this.isOver) return;
    this.close();
    this.chunks.length = 0;
    if (this.inflater !== undefined) {
      this.payload.unpipe();
      this.inflater.destroy();
    }
    this.payload.resume();
    this.reject(this.options.toError?.(reason) ?? new BodyReadError(reason));
  }

  private close(): void {
    this.isOver = true;
    this.timer?.cancel();
  }
}
