import { type Class, fieldsOf } from '@hone/contracts';
import {
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

import { QUERY } from '../http/takes-query.decorator.js';
import { ANSWER, type DeclaredAnswer, LINE } from './answers.decorator.js';
import { OWN_ERRORS, type OwnErrors } from './answers-errors.decorator.js';
import { BODY_CLASS } from './takes-large-body.decorator.js';

/*
 * What Nest's own decorators (`@Get()`, `@Body()`, `@UseGuards()`) declare can be read only under Nest's internal keys: its
 * `Reflector` and `DiscoveryService` find what an application declares itself. `@nestjs/swagger` imports the same keys.
 */

export interface RouteHandler {
  controller: Class;
  method: string;
  handler: object;
}

/** Every route handler of the application, in no order. */
export function routeHandlers(app: NestFastifyApplication): RouteHandler[] {
  const handlers: RouteHandler[] = [];
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, object>;
      for (const method of new MetadataScanner().getAllMethodNames(prototype)) {
        const handler = prototype[method] as object;
        if (Reflect.hasMetadata(PATH_METADATA, handler))
          handlers.push({ controller: metatype as Class, method, handler });
      }
    }
  }
  return handlers;
}

/** What `@Answers()` declared; undefined: nothing. */
export const answerOf = ({ handler }: RouteHandler): DeclaredAnswer | undefined =>
  Reflect.getMetadata(ANSWER, handler) as DeclaredAnswer | undefined;

/** What `@AnswersErrors()` declared; undefined: the errors have the usual form. */
export const ownErrorsOf = ({ handler }: RouteHandler): OwnErrors | undefined =>
  Reflect.getMetadata(OWN_ERRORS, handler) as OwnErrors | undefined;

/** The class of the lines that a handler may answer instead; undefined: it answers none. */
export const lineOf = ({ handler }: RouteHandler): Class | undefined =>
  Reflect.getMetadata(LINE, handler) as Class | undefined;

/** The DTO class of a handler's `@Body()` parameter, or of its `@TakesLargeBody()`. */
export const bodyClass = (route: RouteHandler): Class | undefined =>
  parameterClass(route, RouteParamtypes.BODY) ?? (Reflect.getMetadata(BODY_CLASS, route.handler) as Class | undefined);

/** Whether a handler reads the body itself, as it comes: `@TakesStreamedBody()`. */
export const streamsBody = ({ handler }: RouteHandler): boolean =>
  (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as { body?: string } | undefined)?.body === 'streamed';

/** The DTO class of a handler's `@Query()` parameter, or of its `@TakesQuery()`. */
export function queryClass(route: RouteHandler): Class | undefined {
  const type = parameterClass(route, RouteParamtypes.QUERY);
  if (type && fieldsOf(type).length > 0) return type;
  return Reflect.getMetadata(QUERY, route.handler) as Class | undefined;
}

/** Classes of the guards and interceptors before a handler, and of the pipes of its parameters. */
export function filtersOf(route: RouteHandler): object[] {
  const { controller, handler } = route;
  const declared = [GUARDS_METADATA, INTERCEPTORS_METADATA].flatMap((key) =>
    [controller, handler].flatMap((target) => (Reflect.getMetadata(key, target) ?? []) as object[]),
  );
  return [...declared, ...pipesOf(route)];
}

export const pipesOf = (route: RouteHandler): object[] =>
  Object.values(parametersOf(route)).flatMap(({ pipes }) => pipes ?? []);

/** Whether the path of a handler has parameters. */
export const hasPathParameters = (route: RouteHandler): boolean =>
  Object.keys(parametersOf(route)).some((key) => key.startsWith(`${RouteParamtypes.PARAM}:`));

interface Parameter {
  index: number;
  pipes?: object[];
}

const parametersOf = ({ controller, method }: RouteHandler) =>
  (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, Parameter>;

function parameterClass(route: RouteHandler, kind: RouteParamtypes): Class | undefined {
  const { controller, method } = route;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype, method) ?? []) as Class[];
  const parameters = parametersOf(route);
  const key = Object.keys(parameters).find((one) => one.startsWith(`${kind}:`));
  return key === undefined ? undefined : types[(parameters[key] as Parameter).index];
}
