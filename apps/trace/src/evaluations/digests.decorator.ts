import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isStorableText, issue, lengthIssue, tooManyIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import type { FastifyRequest } from 'fastify';

/** Most selectors in one request. */
const MAX_DIGESTS = 100;

/**
 * The query parameter `digests` (or `digests[]`), once or repeated. Undefined when it is absent; an empty one is a
 * 422 and never "all".
 */
export const Digests = createParamDecorator((_data: unknown, context: ExecutionContext): string[] | undefined => {
  const query = context.switchToHttp().getRequest<FastifyRequest>().query as Record<
    string,
    string | string[] | undefined
  >;
  const digests = [query['digests'], query['digests[]']].flat().filter((value) => value !== undefined);
  if (digests.length === 0) return undefined;
  if (digests.length > MAX_DIGESTS) throw new ValidationError([tooManyIssue(MAX_DIGESTS, ['query', 'digests'])]);
  const issues = digests.flatMap((digest, index) => {
    if (digest === '') return [lengthIssue('short', 1, ['query', 'digests', index])];
    return isStorableText(digest) ? [] : [issue('string_unicode', ['query', 'digests', index])];
  });
  if (issues.length) throw new ValidationError(issues);
  return digests;
});
