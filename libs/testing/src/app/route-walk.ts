import { OPEN_ROUTE, routeHandlers } from '@hone/platform';
import { GUARDS_METADATA, HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** What one route declares. */
interface DeclaredRoute {
  /** `Controller.method`. */
  name: string;
  path: string;
  method: number;
  /** Class names of its guards. */
  guards: string[];
  /** Declared success statuses. */
  statuses: number[];
  /** Declared to take no credentials. */
  isOpen: boolean;
}

/** Walks every route of an application, for the spec that asserts a guard and a status on each. */
export function walkRoutes(app: NestFastifyApplication): DeclaredRoute[] {
  return routeHandlers(app).map(({ controller, method, handler }) => {
    const guards = [controller, handler].flatMap(
      (target) => (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as { name: string }[],
    );
    const open = Reflect.getMetadata(OPEN_ROUTE, handler) as number[] | undefined;
    const code = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
    return {
      name: `${controller.name}.${method}`,
      path: `${Reflect.getMetadata(PATH_METADATA, controller)}/${Reflect.getMetadata(PATH_METADATA, handler)}`,
      method: Reflect.getMetadata(METHOD_METADATA, handler) as number,
      guards: guards.map(({ name }) => name),
      statuses: open ?? (code === undefined ? [] : [code]),
      isOpen: open !== undefined,
    };
  });
}
