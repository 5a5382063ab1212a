import type { IncomingMessage } from 'node:http';

import { type BodyFailure, codingOf, type ContentCoding, readBody, sendContinue } from '@hone/platform';

import {
  bodyTimeout,
  bodyTooLarge,
  CallerLeftError,
  encodingUnsupported,
  InvalidRequestError,
} from '../shared/errors/gateway-error.js';
import type { BodyLimits } from '../shared/gateway-settings.js';
import { SYSTEM_CLOCK } from '../shared/time/clock.js';

/** Content type of nearly all clients. */
const PLAIN_TYPE = 'application/json';
const JSON_TYPE = /^[^\s;/]+\/([^\s;/]+\+)?json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF_8 = /^utf-?8$/i;
const CODINGS: readonly ContentCoding[] = ['gzip', 'x-gzip', 'deflate', 'br'];

/**
 * Reads and inflates the body of a chat completion. It refuses by the headers, before it reads a byte, where it can.
 *
 * @param type the content type as it was sent
 * @throws InvalidRequestError (content type, broken coding), GatewayError 408, 413, 415; CallerLeftError: at once, or
 *   by rejecting the promise
 */
export function readChatBody(
  request: IncomingMessage,
  type: string | undefined,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<Buffer> {
  if (type !== undefined && type !== PLAIN_TYPE && !isJsonInUtf8(type)) {
    const msg = 'The content type should be application/json in UTF-8';
    throw new InvalidRequestError([{ loc: ['body'], msg, type: 'value_error' }]);
  }
  const coding = codingOf(request.headers['content-encoding'], CODINGS);
  if (coding === null) throw encodingUnsupported();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  sendContinue(request);
  return readBody(request, {
    coding,
    maxBytes,
    startTimer: (onTimeout) => SYSTEM_CLOCK.after(timeoutMs, onTimeout),
    toError: (reason) => toGatewayError(reason, maxBytes),
  });
}

const isJsonInUtf8 = (type: string): boolean => JSON_TYPE.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? 'utf-8');

function toGatewayError(reason: BodyFailure, maxBytes: number): Error {
  switch (reason) {
    case 'too_large':
      return bodyTooLarge(maxBytes);
    case 'timeout':
      return bodyTimeout();
    case 'aborted':
      return new CallerLeftError();
    case 'corrupt':
      return new InvalidRequestError([{ loc: ['body', 0], msg: 'The body does not inflate', type: 'json_invalid' }]);
  }
}
