import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

import type { ContentCoding } from '../http/read-body.js';
import { ApiBody } from './api.decorators.js';

/** Key under which the class of a body that the handler reads itself is kept. */
export const BODY_CLASS = 'hone.bodyClass';
const READS_ITSELF = 'hone.readsItself';

/**
 * Bodies of the route may have `largeBodyLimitBytes` instead of `bodyLimitBytes`. The handler takes no `@Body()`: one
 * of this size is parsed elsewhere than in the main thread.
 *
 * @param type class that documents the body
 */
export const TakesLargeBody = (type: Type): MethodDecorator =>
  applyDecorators(RouteConfig({ body: 'large' }), SetMetadata(BODY_CLASS, type), ApiBody({ type }));

/**
 * Bodies of the route may be anything, in these content codings: the handler finds a `RequestBody` in `request.body`.
 *
 * @param type class that documents the body as JSON
 */
export const TakesRawBody = (type: Type, ...codings: ContentCoding[]): MethodDecorator =>
  applyDecorators(
    RouteConfig({ codings }),
    SetMetadata(BODY_CLASS, type),
    SetMetadata(READS_ITSELF, true),
    ApiBody({ type }),
  );

/** Whether the handler reads its body itself, in whichever thread. */
export const readsItself = (handler: object): boolean => Reflect.getMetadata(READS_ITSELF, handler) === true;

/**
 * The handler reads the body from the connection itself, once it knows whether it wants it: the service has read nothing,
 * and has not asked a client to go on that waits to be asked.
 *
 * @param type class that documents the body as JSON
 */
export const LeavesBodyUnread = (type: Type): MethodDecorator =>
  applyDecorators(RouteConfig({ body: 'unread' }), SetMetadata(BODY_CLASS, type), ApiBody({ type }));
