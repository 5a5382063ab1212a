import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { EvaluationDeleteQueryDto } from '@hone/contracts';
import { checked } from '@hone/platform';
import type { FastifyRequest } from 'fastify';

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
  return digests.length === 0 ? undefined : checked(EvaluationDeleteQueryDto, { digests }, 'query').digests;
});
