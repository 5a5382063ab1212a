import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody } from './api.decorators.js';

/** Key under which the class of a large body is kept. */
export const LARGE_BODY = 'hone.largeBody';

/**
 * Bodies of the route may have `largeBodyLimitBytes` instead of `bodyLimitBytes`. The handler takes no `@Body()`: one
 * of this size is parsed elsewhere than in the main thread.
 *
 * @param type class that documents the body
 */
export const TakesLargeBody = (type: Type): MethodDecorator =>
  applyDecorators(RouteConfig({ body: 'large' }), SetMetadata(LARGE_BODY, type), ApiBody({ type }));
