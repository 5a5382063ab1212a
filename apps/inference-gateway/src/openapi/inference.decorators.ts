import { InferenceErrorDto, schemaRef } from '@hone/contracts';
import { Answers, AnswersBytes, AnswersErrors, ApiHeader, ApiOperation, ApiResponse } from '@hone/platform';
import { applyDecorators, type Type } from '@nestjs/common';

import { errorResponses } from './inference-errors.js';

/** Name and purpose of the inference API, for `@Feature()`. */
export const INFERENCE = [
  'inference',
  'Chat completions in the form of OpenAI, and the models that give them.',
] as const;

/** Statuses of the errors that a request for an answer may end with. */
export const ANSWER_ERRORS = [400, 401, 402, 403, 404, 408, 413, 415, 422, 429, 500, 502, 503, 504] as const;

/** What `@InferenceAnswers()` documents of a handler. */
export interface InferenceOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** What the answer is. */
  readonly answer: string;
  /** Answers of other media types: media type -> its content object. */
  readonly otherContent?: Readonly<Record<string, object>>;
  /** Statuses of its errors. */
  readonly errors: readonly number[];
  /** Body of its errors. Absent: in the format of OpenAI. */
  readonly errorType?: Type;
}

/** Documents what a handler of the inference API answers: a body of the class, and errors. */
export const InferenceAnswers = (
  type: Type,
  {
    operationId,
    summary,
    description,
    answer,
    otherContent,
    errors,
    errorType = InferenceErrorDto,
  }: InferenceOperation,
): MethodDecorator =>
  applyDecorators(
    Answers(type, operationId, summary),
    ApiOperation({ operationId, summary, description }),
    ApiResponse({
      status: 200,
      description: answer,
      content: { 'application/json': { schema: schemaRef(type) }, ...otherContent },
    }),
    AnswersErrors(errorType, errorResponses(errors, errorType)),
  );

/** The same of a handler that answers bytes of the upstream's type. */
export const InferenceBytes = ({
  operationId,
  summary,
  description,
  answer,
  errors,
}: Omit<InferenceOperation, 'otherContent' | 'errorType'>): MethodDecorator =>
  applyDecorators(
    AnswersBytes(operationId, summary),
    ApiOperation({ operationId, summary, description }),
    ApiResponse({
      status: 200,
      description: answer,
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    }),
    AnswersErrors(InferenceErrorDto, errorResponses(errors, InferenceErrorDto)),
  );

/** Documents a header that a caller may send. */
export const TakesHeader = (name: string, description: string): MethodDecorator =>
  ApiHeader({ name, description, required: false, schema: { type: 'string' } }) as MethodDecorator;

/** The header by which a caller names the billed project. */
export const NamesProject = (): MethodDecorator =>
  TakesHeader('Hone-Project', '`<team>/<project>` that pays; `OpenAI-Project` is the same.');

/** The headers by which a caller names further models, and wants an answer of its own. */
export const TakesRoutingHeaders = (): MethodDecorator =>
  applyDecorators(
    TakesHeader('Hone-Fallback', 'Names of models to try after those of the body, with commas between them.'),
    TakesHeader('Hone-Cache', '`bypass`: the answer is not one that the route keeps, nor is it kept.'),
  );
