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

const CURSOR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,5})-(\d{1,5})$/i;

export const trajectoryId = ({ batchId, groupIndex, index }: TrajectoryKey): string =>
  `${batchId}-${groupIndex}-${index}`;

/** Undefined: it is no id of a trajectory. */
export function parseTrajectoryId(text: string): TrajectoryKey | undefined {
  const [, batchId, groupIndex, index] = CURSOR.exec(text) ?? [];
  return batchId === undefined ? undefined : { batchId, groupIndex: Number(groupIndex), index: Number(index) };
}
