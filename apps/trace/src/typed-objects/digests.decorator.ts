import { issue, VersionsDeleteQueryDto } from '@hone/contracts';
import { checked, RequestBody, ValidationError } from '@hone/platform';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * The query parameter `digests` (or `digests[]`), once or repeated. Undefined, that is "all", only when the request
 * says nothing else: an empty digest, any other parameter and any body are a 422, because each of them may be a
 * selection that was sent in the wrong form.
 */
export const Digests = createParamDecorator((_data: unknown, context: ExecutionContext): string[] | undefined => {
  const { query, body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body instanceof RequestBody && body.bytes.length > 0)
    throw new ValidationError([issue('extra_forbidden', ['body'])]);
  const { digests: plain, 'digests[]': bracketed, ...others } = query as Record<string, string | string[] | undefined>;
  const digests = [plain, bracketed].flat().filter((value) => value !== undefined);
  return checked(VersionsDeleteQueryDto, { ...(digests.length > 0 && { digests }), ...others }, 'query').digests;
});
