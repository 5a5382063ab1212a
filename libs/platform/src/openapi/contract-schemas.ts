import { PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ErrorDto, jsonSchemas, ValidationErrorDto, type Class, type JsonSchema } from '@hone/contracts';

import { ANSWER } from './answers.decorator.js';
import { OpenApiParts } from './openapi-parts.js';
import { LARGE_BODY } from './takes-large-body.decorator.js';

/** Nest's number for a `@Body()` parameter (RouteParamtypes.BODY). */
const BODY_PARAMETER = 3;

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
      for (const method of Object.getOwnPropertyNames(prototype)) {
        if (method === 'constructor') continue; // the class itself: it carries the path of its controller
        const handler = prototype[method] as object;
        if (Reflect.hasMetadata(PATH_METADATA, handler))
          handlers.push({ controller: metatype as Class, method, handler });
      }
    }
  }
  return handlers;
}

/** Schemas of all DTO classes that the routes take (strict) and answer. */
export function contractSchemas(app: NestFastifyApplication): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const type of [ErrorDto, ValidationErrorDto]) jsonSchemas(type, false, schemas);
  for (const { controller, method, handler } of routeHandlers(app)) {
    const body = bodyClass(controller, method);
    if (body) jsonSchemas(body, true, schemas);
    const answer = Reflect.getMetadata(ANSWER, handler) as Class | undefined;
    if (answer) jsonSchemas(answer, false, schemas);
  }
  for (const { requests, answers } of app.get(OpenApiParts).all) {
    for (const type of requests) jsonSchemas(type, true, schemas);
    for (const type of answers) jsonSchemas(type, false, schemas);
  }
  return schemas;
}

/** The DTO class of a handler's `@Body()` parameter, or of its `@TakesLargeBody()`. */
export function bodyClass(controller: Class, method: string): Class | undefined {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype, method) ?? []) as Class[];
  const key = Object.keys(args).find((one) => one.startsWith(`${BODY_PARAMETER}:`));
  if (key) return types[(args[key] as { index: number }).index];
  return Reflect.getMetadata(LARGE_BODY, (controller.prototype as Record<string, object>)[method] as object) as
    Class | undefined;
}
