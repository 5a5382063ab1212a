import { ErrorDto, type JsonSchema, jsonSchemas, ValidationErrorDto } from '@hone/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { answerOf, bodyClass, ownErrorsOf, routeHandlers } from './route-handlers.js';

/** Key under which `@ApiExcludeController()` leaves its mark. */
const EXCLUDED = 'swagger/apiExcludeController';

/** Schemas of all DTO classes that the documented routes take (strict) and answer. */
export function contractSchemas(app: NestFastifyApplication): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const type of [ErrorDto, ValidationErrorDto]) jsonSchemas(type, false, schemas);
  for (const route of routeHandlers(app)) {
    if (Reflect.hasMetadata(EXCLUDED, route.controller)) continue;
    const body = bodyClass(route);
    if (body) jsonSchemas(body, true, schemas);
    const answer = answerOf(route)?.type;
    if (answer) jsonSchemas(answer, false, schemas);
    const error = ownErrorsOf(route)?.type;
    if (error) jsonSchemas(error, false, schemas);
  }
  return schemas;
}
