import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import type { BodyLimits } from '../shared/gateway-settings.js';
import { SYSTEM_CLOCK, type Timer } from '../shared/time/clock.js';
import {
  bodyTimeout,
  bodyTooLarge,
  CallerLeftError,
  encodingUnsupported,
  InvalidRequestError,
} from '../shared/errors/gateway-error.js';

/** The content type of nearly all clients. */
const PLAIN_TYPE = 'application/json';
const JSON_TYPE = /^[^\s;/]+\/([^\s;/]+\+)?json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF_8 = /^utf-?8$/i;

const INFLATERS = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * What the headers alone forbid, before a byte of the body is read.
 *
 * @param type the content type as it was sent
 * @throws InvalidRequestError (content type), GatewayError 413, 415
 */
export function assertReadable({ headers }: IncomingMessage, type: string | undefined, { maxBytes }: BodyLimits): void {
  if (type !== undefined && type !== PLAIN_TYPE && !isJsonInUtf8(type)) {
    const msg = 'The content type should be application/json in UTF-8';
    throw new InvalidRequestError([{ loc: ['body'], msg, type: 'value_error' }]);
  }
  const coding = codingOf(headers['content-encoding']);
  if (coding !== 'identity' && !INFLATERS.has(coding)) throw encodingUnsupported();
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

const isJsonInUtf8 = (type: string): boolean => JSON_TYPE.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? 'utf-8');

const codingOf = (header: string | undefined): string => header?.trim().toLowerCase() ?? 'identity';

/**
 * The whole body, inflated. The rest of a refused body is read and dropped, so that the client gets to read the answer.
 *
 * @throws GatewayError 408, 413; InvalidRequestError when it does not inflate; CallerLeftError
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const inflate = INFLATERS.get(codingOf(request.headers['content-encoding']))?.();
  return new Promise((resolve, reject) => new BodyReader(request, inflate, limits, resolve, reject).start());
}

class BodyReader {
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private isOver = false;
  private timer: Timer | null = null;
  private readonly source: Readable;

  constructor(
    private readonly request: IncomingMessage,
    private readonly inflate: (NodeJS.ReadWriteStream & Readable) | undefined,
    private readonly limits: BodyLimits,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.source = inflate ? request.pipe(inflate) : request;
  }

  start(): void {
    const { request, source } = this;
    this.timer = SYSTEM_CLOCK.after(this.limits.timeoutMs, () => this.refuse(bodyTimeout()));
    source.on('data', (chunk: Buffer) => this.take(chunk));
    source.on('end', () => this.end());
    // A lost connection closes without an error when nobody listens to errors.
    request.on('close', () => {
      if (!request.readableEnded) this.refuse(new CallerLeftError());
    });
    if (source !== request) source.on('error', () => this.refuse(corrupt()));
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    this.size += chunk.length;
    if (this.size > this.limits.maxBytes) this.refuse(bodyTooLarge(this.limits.maxBytes));
    else this.chunks.push(chunk);
  }

  private end(): void {
    if (this.isOver) return;
    this.close();
    const { chunks } = this;
    this.resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, this.size));
  }

  /** The rest of the body is read and dropped, so that the client gets to read the answer. */
  private refuse(error: Error): void {
    if (this.isOver) return;
    this.close();
    this.chunks.length = 0;
    if (this.inflate !== undefined) {
      this.request.unpipe();
      this.inflate.destroy();
    }
    this.request.resume();
    this.reject(error);
  }

  private close(): void {
    this.isOver = true;
    this.timer?.cancel();
  }
}

const corrupt = (): InvalidRequestError =>
  new InvalidRequestError([{ loc: ['body', 0], msg: 'The body does not inflate', type: 'json_invalid' }]);
