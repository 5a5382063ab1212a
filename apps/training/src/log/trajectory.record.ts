import { TRAJECTORY_ID } from '@hone/contracts';

/** The position of a trajectory among those of its model. */
export interface TrajectoryKey {
  /** Id of the call that logged it. */
  batchId: string;
  groupIndex: number;
  index: number;
}

export interface TrajectoryRecord extends TrajectoryKey {
  split: string;
  step: number;
  reward: number;
  metrics: Record<string, number>;
  /** Of the stored body. */
  uri: string;
  /** Of the stored body. */
  sha256: string;
}

export const trajectoryId = ({ batchId, groupIndex, index }: TrajectoryKey): string =>
  `${batchId}-${groupIndex}-${index}`;

/** Undefined: it is no id of a trajectory. */
export function parseTrajectoryId(text: string): TrajectoryKey | undefined {
  const [, batchId, groupIndex, index] = TRAJECTORY_ID.exec(text) ?? [];
  return batchId === undefined ? undefined : { batchId, groupIndex: Number(groupIndex), index: Number(index) };
}
