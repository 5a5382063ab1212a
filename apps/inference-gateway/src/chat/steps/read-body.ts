import type { IncomingMessage } from 'node:http';

import { type BodyFailure, codingOf, type ContentCoding, readBody, sendContinue } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { BodyOverLimitError, BodyTimeoutError, CodingUnsupportedError } from '../../http/body.errors.js';
import { CallerLeftError, InvalidRequestError } from '../../shared/errors/gateway-error.js';
import type { BodyLimits } from '../../shared/gateway-settings.js';
import { SYSTEM_CLOCK } from '../../shared/time/clock.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/** Content type of nearly all clients. */
const PLAIN_TYPE = 'application/json';
const JSON_TYPE = /^[^\s;/]+\/([^\s;/]+\+)?json\s*(;|$)/i;
const FORM_TYPE = /^multipart\/form-data\s*;/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF_8 = /^utf-?8$/i;
const CODINGS: readonly ContentCoding[] = ['gzip', 'x-gzip', 'deflate', 'br'];

/**
 * Reads and inflates the body. It refuses by the headers, before it reads a byte, where it can.
 *
 * @throws InvalidRequestError the content type, or a broken coding
 * @throws CodingUnsupportedError, BodyOverLimitError, BodyTimeoutError, CallerLeftError
 */
@Injectable()
export class ReadBody implements ChatStep {
  async run(chat: ChatContext): Promise<void> {
    const { raw, origin } = chat.exchange;
    assertType(origin.sentContentType, chat.door.takesForm === true);
    chat.body = await read(raw, chat.settings.limits.body);
  }
}

/** @param type as it was sent @param isForm the body is no JSON */
function assertType(type: string | undefined, isForm: boolean): void {
  if (isForm ? FORM_TYPE.test(type ?? '') : type === undefined || type === PLAIN_TYPE || isJsonInUtf8(type)) return;
  const msg = `The content type should be ${isForm ? 'multipart/form-data' : 'application/json in UTF-8'}`;
  throw new InvalidRequestError([{ loc: ['body'], msg, type: 'value_error' }]);
}

function read(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Buffer> {
  const coding = codingOf(request.headers['content-encoding'], CODINGS);
  if (coding === null) throw new CodingUnsupportedError();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BodyOverLimitError(maxBytes);
  sendContinue(request);
  return readBody(request, {
    coding,
    maxBytes,
    startTimer: (onTimeout) => SYSTEM_CLOCK.after(timeoutMs, onTimeout),
    toError: (reason) => toError(reason, maxBytes),
  });
}

const isJsonInUtf8 = (type: string): boolean => JSON_TYPE.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? 'utf-8');

function toError(reason: BodyFailure, maxBytes: number): Error {
  switch (reason) {
    case 'too_large':
      return new BodyOverLimitError(maxBytes);
    case 'timeout':
      return new BodyTimeoutError();
    case 'aborted':
      return new CallerLeftError();
    case 'corrupt':
      return new InvalidRequestError([{ loc: ['body', 0], msg: 'The body does not inflate', type: 'json_invalid' }]);
  }
}
