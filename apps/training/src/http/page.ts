import { QueryValues, type Query } from './query-values.js';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

/** Which part of a list is asked for. */
export interface PageQuery {
  limit: number;
  /** Id of the last item seen; undefined: from the start. */
  after: string | undefined;
}

export interface OrderedPageQuery extends PageQuery {
  order: Order;
}

/** Reads `after` and `limit`; the caller reads the rest and then asserts that all was valid. */
export const readPage = (values: QueryValues): PageQuery => ({
  limit: values.integer('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
  after: values.cursor(),
});

/** Reads `after`, `limit` and `order`. @throws ValidationError */
export function readOrderedPage(query: Query, order: Order = 'asc'): OrderedPageQuery {
  const values = new QueryValues(query);
  const page = { ...readPage(values), order: values.word('order', ORDERS) ?? order };
  values.assertValid();
  return page;
}

/** A page of a list. Ids are empty when there are no items. */
export interface Page<Item extends { id: string }> {
  object: 'list';
  data: Item[];
  first_id: string;
  last_id: string;
  has_more: boolean;
}

/** @param found up to `limit + 1` items: one more than fits says that there are more */
export function toPage<Item extends { id: string }>(found: readonly Item[], limit: number): Page<Item> {
  const data = found.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
    has_more: found.length > limit,
  };
}
