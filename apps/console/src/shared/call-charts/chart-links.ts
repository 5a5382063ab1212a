import { callsLink, WITH_THUMB } from '../calls/calls-link.js';
import { shortOpName } from '../format/format.js';
import { printLiteral } from '../query/print.js';
import type { TimeSpan } from '../time-span/time-span.js';
import type { ChartGroup, ChartMeasure } from './measures.js';

/** Fields of the query line that groups are values of. Ops have a place of their own in the address. */
const FIELDS: Readonly<Partial<Record<ChartGroup, string>>> = {
  ...{ model: 'model', status: 'status', user: 'end_user', thread: 'thread_id', prompt: 'prompt' },
  error_class: 'error_class',
};

/** Which calls a measure is about, where it is not about all. */
const ABOUT: Readonly<Partial<Record<ChartMeasure, string>>> = {
  ...{ errors: 'status = error', error_rate: 'status = error' },
  ...{ thumbs_up: WITH_THUMB.up, thumbs_down: WITH_THUMB.down, thumbs_down_rate: WITH_THUMB.down },
};

export const isAboutAll = (measure: ChartMeasure): boolean => !Object.hasOwn(ABOUT, measure);

/**
 * The query of the address at which the list of calls shows those of a row; null: it is of a group that the query line has
 * no field for.
 *
 * @param key group -> its value
 * @param filter of the chart, '': none
 * @param measure which of these calls it is about; absent: all
 * @param parts measures whose calls are left out
 */
export function linkOfKey(
  key: Readonly<Record<string, string | null>>,
  filter: string,
  span: TimeSpan,
  measure?: ChartMeasure,
  parts: readonly ChartMeasure[] = [],
): string | null {
  if (Object.keys(key).some((group) => group !== 'op' && !Object.hasOwn(FIELDS, group))) return null;
  const conditions = Object.entries(key).flatMap(([group, value]) => {
    const field = FIELDS[group as ChartGroup];
    return field === undefined ? [] : [`${field} = ${printLiteral(value)}`];
  });
  const op = key['op'];
  const about = measure && ABOUT[measure];
  const others = parts.flatMap((part) => (ABOUT[part] === undefined ? [] : [`not ${ABOUT[part]}`]));
  return callsLink({
    ...{ start: span.start, end: span.end },
    conditions: [...(filter === '' ? [] : [`(${filter})`]), ...conditions, ...(about ? [about] : []), ...others],
    ...(typeof op === 'string' && { op: shortOpName(op) }),
  });
}
