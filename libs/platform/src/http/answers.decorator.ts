import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
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
    ...errors.map((status) =>
      ApiResponse({
        status,
        type: status === 422 ? ValidationErrorDto : ErrorDto,
        description: DESCRIPTIONS[status] ?? '',
      }),
    ),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) =>
      Reflect.defineMetadata(ANSWER, type, descriptor.value),
  );
}

const DESCRIPTIONS: Record<number, string> = {
  400: 'A header or the time limit of the query.',
  403: 'The role is too low, or there is no access.',
  404: 'It does not exist.',
  409: 'It contradicts what is stored.',
  413: 'The body, or a value in it, is too large.',
  422: 'The request is not valid.',
};
