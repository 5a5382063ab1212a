import { parseDateTime, setKey, type TrajectoryDto, type TrajectoryGroupDto } from '@hone/contracts';

import type { TrajectoryRow } from './log-content.js';

const LIST_CHARACTERS = 1_000_000;

/** The rows of all trajectories, as JSON lists of a size that a statement takes at once. */
export function toRowLists(groups: readonly TrajectoryGroupDto[]): string[] {
  const lists: string[] = [];
  let rows: string[] = [];
  let size = 0;
  for (const [g, { trajectories = [] }] of groups.entries()) {
    for (const [i, trajectory] of trajectories.entries()) {
      const row = JSON.stringify(toRow(g, i, trajectory));
      rows.push(row);
      size += row.length;
      if (size < LIST_CHARACTERS) continue;
      lists.push(`[${rows.join(',')}]`);
      [rows, size] = [[], 0];
    }
  }
  return rows.length ? [...lists, `[${rows.join(',')}]`] : lists;
}

function toRow(g: number, i: number, trajectory: TrajectoryDto): TrajectoryRow {
  const { reward = 0, initial_policy_version: first, final_policy_version: last, start_time } = trajectory;
  const metrics = {};
  for (const [name, value] of Object.entries(trajectory.metrics ?? {})) setKey(metrics, name, Number(value));
  const start = start_time === undefined ? undefined : parseDateTime(start_time)?.getTime();
  return { g, i, reward, first: first ?? undefined, last: last ?? undefined, metrics, start };
}
