import { cursorIssue, DEFAULT_PAGE_LIMIT, type Order, type PageQueryDto } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

/** Which part of a list is asked for. */
export interface PageQuery {
  limit: number;
  /** Id of the last item seen; undefined: from the start. */
  after: string | undefined;
}

export interface OrderedPageQuery extends PageQuery {
  order: Order;
}

export const toPageQuery = ({ limit = DEFAULT_PAGE_LIMIT, after }: PageQueryDto): PageQuery => ({ limit, after });

/** @param preset order of a list that none is asked for */
export const toOrderedPageQuery = (
  { order, ...page }: PageQueryDto & { order?: Order },
  preset: Order,
): OrderedPageQuery => ({ ...toPageQuery(page), order: order ?? preset });

/** The cursor has the right form and names no item of the list. */
export const unknownCursor = (): ValidationError =>
  new ValidationError([{ ...cursorIssue(), loc: ['query', 'after'] }]);

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
