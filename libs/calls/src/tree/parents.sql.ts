const TRACE = '^[0-9a-f]{32}$';
const SPAN = '^[0-9a-f]{16}$';

/**
 * Whether a call that has the id of a parent is that parent. It has arrived once its start has. The ids of spans are
 * unique in their trace only, so that a span's parent is of the same trace; other calls name theirs by its id alone.
 *
 * @param found alias of `calls` that has the id
 * @param child where the child's trace and the id of its parent are
 */
export const isParent = (found: string, child: { trace: string; parent: string }): string =>
  `${found}.started_at IS NOT NULL AND NOT (${isAlien(found, child)})`;

/** The call that has the id of the parent is a span of another trace. */
export const isAlien = (found: string, { trace, parent }: { trace: string; parent: string }): string =>
  `${found}.trace_id IS DISTINCT FROM ${trace} AND ${parent} ~ '${SPAN}' AND ${trace} ~ '${TRACE}' AND coalesce(${found}.trace_id, '') ~ '${TRACE}'`;

/** The call failed, or one below it did. */
export const isFailing = (call: string): string =>
  `(${call}.exception IS NOT NULL OR ${call}.has_descendant_error OR ${call}.has_failed_descendant)`;
