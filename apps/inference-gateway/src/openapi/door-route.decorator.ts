import { ApiConsumes, LeavesBodyUnread, OpenRoute } from '@hone/platform';
import { applyDecorators, Post, type Type } from '@nestjs/common';

import {
  ANSWER_ERRORS,
  InferenceAnswers,
  InferenceBytes,
  type InferenceOperation,
  NamesProject,
  TakesHeader,
  TakesRoutingHeaders,
} from './inference.decorators.js';

/** What `@DoorRoute()` documents of a handler, beside what all routes of doors have. */
interface DoorOperation extends Omit<InferenceOperation, 'errors'> {
  /** Below the path of the controller. Absent: that path. */
  readonly path?: string;
  /** Of the request, which the pipeline reads. */
  readonly body: Type;
  /** Of the answer. Null: bytes of the upstream's type. */
  readonly result: Type | null;
  /** The request is a form, not JSON. */
  readonly isForm?: boolean;
  /** Answers may be streams of server-sent events. */
  readonly mayStream?: boolean;
  /** What `X-Request-Id` becomes. Absent: the id of the request. */
  readonly requestId?: string;
}

/** A `POST` that models answer: the pipeline of chats authenticates it and reads its body. */
export const DoorRoute = ({
  path = '',
  body,
  result,
  isForm = false,
  mayStream = false,
  requestId = 'the id of the request.',
  ...operation
}: DoorOperation): MethodDecorator => {
  const otherContent = mayStream ? EVENT_STREAM : operation.otherContent;
  const documented = { ...operation, otherContent, errors: ANSWER_ERRORS };
  return applyDecorators(
    NamesProject(),
    TakesHeader('X-Request-Id', `Becomes ${requestId}`),
    TakesRoutingHeaders(),
    ...(mayStream ? [BUFFERS_STREAMS] : []),
    ...(isForm ? [ApiConsumes('multipart/form-data')] : []),
    LeavesBodyUnread(body),
    result === null ? InferenceBytes(documented) : InferenceAnswers(result, documented),
    OpenRoute(200),
    Post(path),
  );
};

const EVENT_STREAM = { 'text/event-stream': { schema: { type: 'string' } } };
const BUFFERS_STREAMS = TakesHeader(
  'Hone-Stream-Guard',
  '`buffered`: a stream begins once its answer is known to be whole.',
);
