import { applyDecorators, Header, HttpCode, SetMetadata, type Type, UseInterceptors } from '@nestjs/common';

import type { DomainErrorClass } from '../errors/domain-error.js';
import { JSON_LINES, LinesInterceptor } from '../http/lines-answer.js';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '../openapi/api.decorators.js';

/** Key under which what a handler answers is kept. */
export const ANSWER = 'hone.answer';
/** Key under which the class of a line is kept, of a handler that also answers lines. */
export const LINE = 'hone.line';
/** Key under which a controller's feature is kept. */
export const FEATURE = 'hone.feature';

/** What a handler declares of its answers. */
export interface DeclaredAnswer {
  operationId: string;
  /** Class of the body; undefined: a file. */
  type: Type | undefined;
  /** The handler's own errors, beside those of its guards, interceptors and body. */
  errors: readonly DomainErrorClass[];
}

/** A part of the interface, under which the document groups operations. */
export interface DeclaredFeature {
  name: string;
  description: string;
}

/**
 * Declares what a handler answers: always 200, the class of its body, its name and one line for the documentation, and
 * the errors of its own that a caller can meet.
 *
 * @param operationId unique over all services, for example `createFeedback`
 */
export function Answers(
  type: Type,
  operationId: string,
  summary: string,
  ...errors: DomainErrorClass[]
): MethodDecorator {
  const answer: DeclaredAnswer = { operationId, type, errors };
  return applyDecorators(
    HttpCode(200),
    SetMetadata(ANSWER, answer),
    ApiOperation({ operationId, summary }),
    ApiResponse({ status: 200, type }),
  );
}

/** The same for a handler that answers JSON lines: each line is a value of the class. */
export function AnswersLines(
  type: Type,
  operationId: string,
  summary: string,
  ...errors: DomainErrorClass[]
): MethodDecorator {
  return applyDecorators(
    Answers(type, operationId, summary, ...errors),
    Header('content-type', JSON_LINES),
    ApiProduces('application/x-ndjson'),
  );
}

/** The handler returns a `LinesAnswer`. */
export const MaySendTrailers = (): MethodDecorator => UseInterceptors(LinesInterceptor);

/**
 * The handler also answers lines, each a value of the class, to a client that accepts `application/x-ndjson`: it returns
 * a `LinesAnswer` then. Takes the place of `@Header('content-type', …)`.
 */
export const MayAnswerLines = (line: Type): MethodDecorator =>
  applyDecorators(
    Header('content-type', 'application/json; charset=utf-8'),
    SetMetadata(LINE, line),
    UseInterceptors(LinesInterceptor),
  );

/** The same for a handler that answers a file as it is. */
export function AnswersFile(operationId: string, summary: string, ...errors: DomainErrorClass[]): MethodDecorator {
  return answersBytes('application/octet-stream', { operationId, type: undefined, errors }, summary);
}

/** The same for a handler that answers files packed into one, as tar with gzip. */
export function AnswersArchive(operationId: string, summary: string, ...errors: DomainErrorClass[]): MethodDecorator {
  return answersBytes('application/gzip', { operationId, type: undefined, errors }, summary);
}

/** The same for bytes of which the client has no copy that it could name. */
export function AnswersBytes(operationId: string, summary: string, ...errors: DomainErrorClass[]): MethodDecorator {
  return answersMedia('application/octet-stream', { operationId, type: undefined, errors }, summary);
}

function answersBytes(mediaType: string, answer: DeclaredAnswer, summary: string): MethodDecorator {
  return applyDecorators(
    answersMedia(mediaType, answer, summary),
    ApiResponse({ status: 304, description: 'The client has the file: `If-None-Match` names its `ETag`.' }),
  );
}

function answersMedia(mediaType: string, answer: DeclaredAnswer, summary: string): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    SetMetadata(ANSWER, answer),
    ApiOperation({ operationId: answer.operationId, summary }),
    ApiProduces(mediaType),
    ApiResponse({ status: 200, schema: { type: 'string', format: 'binary' }, description: 'The bytes of the file.' }),
  );
}

/** Names the part of the interface that a controller answers, and says in a sentence what it is for. */
export const Feature = (name: string, description: string): ClassDecorator => {
  const feature: DeclaredFeature = { name, description };
  return applyDecorators(SetMetadata(FEATURE, feature), ApiTags(name)) as ClassDecorator;
};
