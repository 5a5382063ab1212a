import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  parseJsonBytes,
  stringifyJson,
} from '@hone/contracts';
import type { Task } from '@hone/threads';

/** The data of a job, and what is wanted of it. */
export interface RolloutFile {
  readonly bytes: Uint8Array;
  /** `body`: as it was sent to create the job; `lines`: one group a line. */
  readonly format: 'body' | 'lines';
  /** Group and index of the one rollout whose text is wanted, too; null: of none. */
  readonly position: readonly [group: number, index: number] | null;
}

/** A rollout as its author sent it. */
export interface SentRollout {
  readonly group: number;
  readonly index: number;
  readonly reward: number;
  readonly initialPolicyVersion: number | null;
  readonly metrics: Record<string, number>;
  /** JSON with every number as it was written; of the one that is wanted. */
  readonly text?: string;
}

/** Reads the rollouts of a job's data, which was checked when the job was made or planned. */
export const TASK: Task<RolloutFile, SentRollout[]> = {
  module: import.meta.url,
  run({ bytes, format, position }) {
    const groups = format === 'body' ? groupsOfBody(bytes) : groupsOfLines(bytes);
    const isWanted = (group: number, index: number) => position?.[0] === group && position[1] === index;
    return groups.flatMap((group, at) =>
      listIn(group, 'trajectories').flatMap((trajectory, index) =>
        isJsonObject(trajectory) ? [toRollout(trajectory, at, index, isWanted(at, index))] : [],
      ),
    );
  },
};

const groupsOfBody = (bytes: Uint8Array): readonly JsonValue[] => listIn(parseJsonBytes(bytes), 'trajectory_groups');

const groupsOfLines = (bytes: Uint8Array): readonly JsonValue[] =>
  new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseGroup);

/** Null: no JSON, which failed the job, and keeps its place among the groups. */
function parseGroup(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch {
    return null;
  }
}

function toRollout(trajectory: JsonObject, group: number, index: number, withText: boolean): SentRollout {
  const { reward = 0, initial_policy_version: step = null, metrics = {} } = trajectory;
  return {
    group,
    index,
    reward: Number(reward),
    initialPolicyVersion: step === null ? null : Number(step),
    metrics: isJsonObject(metrics) ? numbersOf(metrics) : {},
    ...(withText && { text: stringifyJson(trajectory) }),
  };
}

const numbersOf = (metrics: JsonObject): Record<string, number> =>
  Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, Number(value)]));

function listIn(value: JsonValue, key: string): readonly JsonValue[] {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
}
