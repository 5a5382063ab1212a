import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@hone/platform';

import { DEFAULT_LIMIT, MAX_LIMIT, ORDERS, type Order } from './page.js';

/** Documents `after` and `limit`, and `order` where the list has one. */
export const PageParameters = (order?: Order): MethodDecorator =>
  applyDecorators(
    ApiQuery({ name: 'after', required: false, schema: { type: 'string' }, description: 'Id of the last item seen.' }),
    ApiQuery({
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    }),
    ...(order
      ? [ApiQuery({ name: 'order', required: false, schema: { type: 'string', enum: [...ORDERS], default: order } })]
      : []),
  );
