import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { bodyTimeout, bodyTooLarge, encodingUnsupported, InvalidRequestError } from './gateway-error.js';

const JSON_TYPE = /^[^\s;/]+\/([^\s;/]+\+)?json\s*(;|$)/i;
const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;

const INFLATERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

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
  if (type !== undefined && (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type))) {
    const msg = 'The content type should be application/json in UTF-8';
    throw new InvalidRequestError([{ loc: ['body'], msg, type: 'value_error' }]);
  }
  const coding = codingOf(headers['content-encoding']);
  if (coding !== 'identity' && INFLATERS[coding] === undefined) throw encodingUnsupported();
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

const codingOf = (header: string | undefined): string => (header ?? 'identity').trim().toLowerCase();

/**
 * The whole body, inflated.
 *
 * @throws GatewayError 408, 413; InvalidRequestError when it does not inflate
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const coding = codingOf(request.headers['content-encoding']);
  const timer = setTimeout(() => request.destroy(bodyTimeout()), limits.timeoutMs);
  try {
    const inflate = INFLATERS[coding]?.();
    return await collect(inflate ? (request.pipe(inflate) as unknown as Readable) : request, request, limits.maxBytes);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(source: Readable, request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        request.unpipe();
        if (source !== request) source.destroy();
        // What still comes is read and dropped, so that the client gets to read the answer.
        request.resume();
        throw bodyTooLarge(maxBytes);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    const isCorrupt = source !== request && /^(Z_|ERR_)/.test(String((error as { code?: unknown }).code));
    if (!isCorrupt) throw error;
    request.unpipe();
    request.resume();
    throw new InvalidRequestError([{ loc: ['body', 0], msg: 'The body does not inflate', type: 'json_invalid' }]);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}
