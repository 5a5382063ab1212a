import { RouteConfig } from '@nestjs/platform-fastify';

/** Bodies of the route may have `largeBodyLimitBytes` instead of `bodyLimitBytes`. */
export const TakesLargeBody = (): MethodDecorator => RouteConfig({ body: 'large' });
