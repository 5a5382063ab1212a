import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import {
  bodyTimeout,
  bodyTooLarge,
  CallerLeftError,
  encodingUnsupported,
  InvalidRequestError,
} from './gateway-error.js';

const JSON_TYPE = /^[^\s;/]+\/([^\s;/]+\+)?json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF_8 = /^utf-?8$/i;

const INFLATERS = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

export interface BodyLimits {
  /** Of the inflated body. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * What the headers alone forbid, before a byte of the body is read.
 *
 * @param type the content type as it was sent
 * @throws InvalidRequestError (content type), GatewayError 413, 415
 */
export function assertReadable({ headers }: IncomingMessage, type: string | undefined, { maxBytes }: BodyLimits): void {
  if (type !== undefined && !(JSON_TYPE.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? 'utf-8'))) {
    const msg = 'The content type should be application/json in UTF-8';
    throw new InvalidRequestError([{ loc: ['body'], msg, type: 'value_error' }]);
  }
  const coding = codingOf(headers['content-encoding']);
  if (coding !== 'identity' && !INFLATERS.has(coding)) throw encodingUnsupported();
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

const codingOf = (header: string | undefined): string => (header ?? 'identity').trim().toLowerCase();

/**
 * The whole body, inflated. What still comes of a refused one is read and dropped, so that the client gets to read the
 * answer.
 *
 * @throws GatewayError 408, 413; InvalidRequestError when it does not inflate; CallerLeftError
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const inflate = INFLATERS.get(codingOf(request.headers['content-encoding']))?.();
  const source = inflate ? request.pipe(inflate) : request;
  try {
    return await collect(source, request, limits);
  } catch (error) {
    request.unpipe();
    inflate?.destroy();
    request.resume();
    throw error;
  }
}

function collect(source: Readable, request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: Error) => {
      clearTimeout(timer);
      source.off('data', onData);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) refuse(bodyTooLarge(maxBytes));
      else chunks.push(chunk);
    };
    const timer = setTimeout(() => refuse(bodyTimeout()), timeoutMs);
    source.on('data', onData);
    source.once('end', () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    });
    request.once('close', () => !request.readableEnded && refuse(new CallerLeftError()));
    request.on('error', () => refuse(new CallerLeftError()));
    if (source !== request) source.on('error', () => refuse(corrupt()));
  });
}

const corrupt = (): InvalidRequestError =>
  new InvalidRequestError([{ loc: ['body', 0], msg: 'The body does not inflate', type: 'json_invalid' }]);
