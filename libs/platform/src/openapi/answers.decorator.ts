import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse } from './api.decorators.js';
import { ErrorDto, ValidationErrorDto } from '@hone/contracts';

/** Key under which a handler's declared answer class is kept. */
export const ANSWER = 'hone.answer';

/**
 * Declares what a handler answers: always 200, the class of its body, one line for the documentation, and the error
 * statuses beside 401 that a caller can meet.
 */
export function Answers(type: Type, summary: string, ...errors: number[]): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiOperation({ summary }),
    ApiResponse({ status: 200, type, description: 'Done.' }),
    ...errorResponses(errors),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) =>
      Reflect.defineMetadata(ANSWER, type, descriptor.value),
  );
}

/** The same for a handler that answers a file as it is. */
export function AnswersFile(summary: string, ...errors: number[]): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiOperation({ summary }),
    ApiProduces('application/octet-stream'),
    ApiResponse({ status: 200, schema: { type: 'string', format: 'binary' }, description: 'Its bytes.' }),
    ApiResponse({ status: 304, description: 'The client has it: `If-None-Match` names its `ETag`.' }),
    ...errorResponses(errors),
  );
}

const errorResponses = (errors: number[]): MethodDecorator[] =>
  errors.map((status) =>
    ApiResponse({
      status,
      type: status === 422 ? ValidationErrorDto : ErrorDto,
      description: DESCRIPTIONS[status] ?? '',
    }),
  );

const DESCRIPTIONS: Record<number, string> = {
  400: 'A header or the time limit of the query.',
  403: 'The role is too low, or there is no access.',
  404: 'It does not exist.',
  409: 'It contradicts what is stored.',
  413: 'The body, or a value in it, is too large.',
  415: 'The content type or coding is not supported.',
  422: 'The request is not valid.',
  503: 'A dependency is away, or there is too much to do; retry.',
};
