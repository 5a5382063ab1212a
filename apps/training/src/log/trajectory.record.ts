import { TRAJECTORY_ID } from '@hone/contracts';

/** Where a trajectory stands among those of its model. */
export interface TrajectoryPlace {
  /** Id of the call that logged it. */
  batchId: string;
  groupIndex: number;
  index: number;
}

export interface TrajectoryRecord extends TrajectoryPlace {
  split: string;
  step: number;
  reward: number;
  metrics: Record<string, number>;
  /** Of the stored body. */
  uri: string;
  /** Of the stored body. */
  sha256: string;
}

export const trajectoryId = ({ batchId, groupIndex, index }: TrajectoryPlace): string =>
  `${batchId}-${groupIndex}-${index}`;

/** Undefined: it is no id of a trajectory. */
export function parseTrajectoryId(text: string): TrajectoryPlace | undefined {
  const [, batchId, groupIndex, index] = TRAJECTORY_ID.exec(text) ?? [];
  return batchId === undefined ? undefined : { batchId, groupIndex: Number(groupIndex), index: Number(index) };
}
