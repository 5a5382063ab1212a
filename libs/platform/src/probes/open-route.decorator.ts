import { SetMetadata } from '@nestjs/common';

/** Key under which the statuses of a route without a guard are kept. */
export const OPEN_ROUTE = 'hone.openRoute';

/**
 * Declares that no guard stands before a route, and what it may answer: it takes no credentials, or its handler checks
 * them itself. The route walk fails for a route with neither this nor a guard.
 */
export const OpenRoute = (...statuses: number[]): MethodDecorator => SetMetadata(OPEN_ROUTE, statuses);
