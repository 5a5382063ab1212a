import { issue, valueIssue } from '@hone/contracts';
import { ApiBody, ApiConsumes, RequestBody, ValidationError } from '@hone/platform';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The route takes a CSV file as it is. */
export const TakesCsv = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes('text/csv', 'application/octet-stream'),
    ApiBody({
      schema: { type: 'string', description: 'The bytes of a CSV file, whose first line names the columns.' },
      examples: { csv: { value: 'q,a\n2+2,4\n3+3,6\n' } },
    }),
  );

/** A CSV file that was sent as the body. */
export class CsvFile {
  constructor(private readonly request: Pick<FastifyRequest, 'body' | 'sentContentType'>) {}

  /** Whatever type it is said to have. @throws ValidationError there is no body, or it is a form */
  get bytes(): Buffer {
    const { body, sentContentType = '' } = this.request;
    if (!(body instanceof RequestBody) || body.bytes.length === 0)
      throw new ValidationError([issue('missing', ['body'])]);
    if (/^multipart\//i.test(sentContentType))
      throw new ValidationError([valueIssue('The body should be the file itself, not a form', ['body'])]);
    return body.bytes;
  }
}

/** The body of the request, not yet looked at: parameters of the path are checked before. */
export const CsvBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => new CsvFile(context.switchToHttp().getRequest<FastifyRequest>()),
);
