import { SetMetadata, type Type } from '@nestjs/common';

/** Key under which the class of a query is kept. */
export const QUERY = 'hone.query';

/** Documents the query of a handler that takes it otherwise than as `@Query()`. */
export const TakesQuery = (type: Type): MethodDecorator => SetMetadata(QUERY, type);
