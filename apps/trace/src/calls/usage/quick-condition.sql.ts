import type { CallSelection, CallSelector, Ways } from '@hone/call-queries';
import { type CallFacetsDto, isJsonObject, type JsonValue } from '@hone/contracts';
import { Prisma } from '@hone/database';

/**
 * Those conditions of the query, joined by `$and`, that name no value, ask no other call, and look up no feedback call by
 * call: they choose which calls are read at all.
 *
 * @param ways those of the whole query
 */
export function quickCondition(
  selector: CallSelector,
  projectRowId: string,
  { project_id, query }: CallFacetsDto,
  { searches, feedback }: Ways,
): CallSelection['condition'] {
  const quick: Prisma.Sql[] = [];
  let [search, record] = [0, 0];
  for (const $expr of query ? conjunctsOf(query.$expr as JsonValue) : []) {
    const part = selector.compile({ project_id, query: { $expr } as CallFacetsDto['query'] });
    const ways = {
      searches: searches.slice(search, (search += part.searches.length)),
      feedback: feedback.slice(record, (record += part.feedback.length)),
    };
    const isQuick = !part.needsValues && !part.readsTraces && ways.feedback.every(({ kind }) => kind === 'ids');
    const condition = isQuick ? part.conditionIn(projectRowId, ways) : undefined;
    if (condition) quick.push(condition);
  }
  return quick.length > 0 ? Prisma.join(quick, ' AND ') : undefined;
}

function conjunctsOf(expression: JsonValue): JsonValue[] {
  const parts = isJsonObject(expression) ? expression['$and'] : undefined;
  return Array.isArray(parts) ? parts : [expression];
}
