import { type OrderedPageQuery, ORDERS, readPage } from '../http/page.js';
import { QueryValues, type Query } from '../http/query-values.js';
import type { ModelFilter } from './model-list.repository.js';

/** @throws ValidationError */
export function readModelList(query: Query): { page: OrderedPageQuery; filter: ModelFilter } {
  const values = new QueryValues(query);
  const page = { ...readPage(values), order: values.word('order', ORDERS) ?? ('asc' as const) };
  const filter = { entity: values.text('entity'), project: values.text('project'), name: values.text('name') };
  values.assertValid();
  return { page, filter };
}
