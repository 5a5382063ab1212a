import { callsLink } from '../calls/calls-link.js';
import { shortOpName } from '../format/format.js';
import { printLiteral } from '../query/print.js';
import type { TimeSpan } from '../time-span/time-span.js';
import type { ChartGroup } from './measures.js';

/** Fields of the query line that groups are values of. Ops have a place of their own in the address. */
const FIELDS: Readonly<Partial<Record<ChartGroup, string>>> = {
  ...{ model: 'model', status: 'status', user: 'end_user', thread: 'thread_id', prompt: 'prompt' },
  error_class: 'error_class',
};

/**
 * The query of the address at which the list of calls shows those of a row; null: it is of a group that the query line has
 * no field for.
 *
 * @param key group -> its value
 * @param filter of the chart, '': none
 */
export function linkOfKey(key: Readonly<Record<string, string | null>>, filter: string, span: TimeSpan): string | null {
  if (Object.keys(key).some((group) => group !== 'op' && !Object.hasOwn(FIELDS, group))) return null;
  const conditions = Object.entries(key).flatMap(([group, value]) => {
    const field = FIELDS[group as ChartGroup];
    return field === undefined ? [] : [`${field} = ${printLiteral(value)}`];
  });
  const op = key['op'];
  return callsLink({
    ...{ start: span.start, end: span.end },
    conditions: [...(filter === '' ? [] : [`(${filter})`]), ...conditions],
    ...(typeof op === 'string' && { op: shortOpName(op) }),
  });
}
