import { DEFAULT_LIMIT, MAX_LIMIT } from '../http/page.js';
import { QueryValues, type Query } from '../http/query-values.js';
import { parseTrajectoryId, type TrajectoryKey } from './trajectory.record.js';
import type { TrajectoryFilter } from './trajectory.repository.js';

const MAX_STEP = 2_147_483_647;

export interface TrajectoryQuery {
  limit: number;
  after: TrajectoryKey | undefined;
  filter: TrajectoryFilter;
}

/** @throws ValidationError */
export function readTrajectoryQuery(query: Query): TrajectoryQuery {
  const values = new QueryValues(query);
  const limit = values.integer('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
  const after = values.cursor((text) => parseTrajectoryId(text) !== undefined);
  const filter = { split: values.text('split'), step: values.integer('step', 0, MAX_STEP) };
  values.assertValid();
  return { limit, after: after === undefined ? undefined : parseTrajectoryId(after), filter };
}
