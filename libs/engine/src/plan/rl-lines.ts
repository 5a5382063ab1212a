import { isDeeperThan, isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { Lines } from './each-line.js';
import { BadGroupLineError, type Finding, TooManyTrajectoriesError } from './plan.errors.js';
import { isChoice, type TrajectoryGroupInput } from './trajectory-input.js';

/** The limits of the body of a job. */
const LIMITS = { groups: 4_096, trajectories: 16_384, items: 10_000, histories: 256, levels: 64 };
const MAX_STEP = 2_147_483_647;

/**
 * Reads trajectory groups, one a line, each as an element of `trajectory_groups` of a job's body. Blank lines are
 * skipped.
 *
 * @throws BadGroupLineError after the last line, with the numbers of all such lines
 * @throws TooManyTrajectoriesError
 */
export async function readGroupLines(lines: Lines): Promise<TrajectoryGroupInput[]> {
  const groups: TrajectoryGroupInput[] = [];
  const bad: Finding[] = [];
  let [number, trajectories] = [0, 0];
  for await (const line of lines) {
    number++;
    if (line !== null && line.trim() === '') continue;
    const group = line === null ? 'not valid UTF-8' : readGroup(number === 1 ? line.replace(/^\ufeff/, '') : line);
    if (typeof group === 'string') {
      bad.push({ loc: ['line', number], detail: group });
      continue;
    }
    groups.push(group);
    trajectories += group.trajectories?.length ?? 0;
    if (groups.length > LIMITS.groups) throw new TooManyTrajectoriesError(`${LIMITS.groups} groups`);
    if (trajectories > LIMITS.trajectories) throw new TooManyTrajectoriesError(`${LIMITS.trajectories} trajectories`);
  }
  if (bad.length > 0) throw new BadGroupLineError(bad);
  return groups;
}

/** Returns the group of a line, or a few words that say what is wrong with it. */
function readGroup(line: string): TrajectoryGroupInput | string {
  const group = parsePlainJson(line);
  if (!isJsonObject(group)) return 'not a JSON object';
  if (isDeeperThan(group, LIMITS.levels)) return `nested deeper than ${LIMITS.levels} levels`;
  const { trajectories } = group;
  if (trajectories === undefined) return {};
  if (!Array.isArray(trajectories)) return 'trajectories is not a list';
  for (const [index, trajectory] of trajectories.entries()) {
    const wrong = wrongWithTrajectory(trajectory);
    if (wrong) return `trajectory ${index}: ${wrong}`;
  }
  return { trajectories: trajectories as NonNullable<TrajectoryGroupInput['trajectories']> };
}

function wrongWithTrajectory(trajectory: unknown): string | null {
  if (!isJsonObject(trajectory)) return 'not an object';
  const { reward, initial_policy_version: step, additional_histories: histories } = trajectory;
  if (reward !== undefined && !Number.isFinite(reward)) return 'reward is not a number';
  const isStep = Number.isInteger(step) && Math.abs(step as number) <= MAX_STEP;
  if (step !== undefined && step !== null && !isStep) return 'initial_policy_version is not an integer';
  if (histories === undefined) return wrongWithHistory(trajectory);
  if (!Array.isArray(histories) || histories.length > LIMITS.histories)
    return 'additional_histories is not a short list';
  return [trajectory, ...histories].map(wrongWithHistory).find((wrong) => wrong !== null) ?? null;
}

function wrongWithHistory(history: unknown): string | null {
  if (!isJsonObject(history)) return 'a history is not an object';
  const { messages_and_choices: items, tools } = history;
  const areTools = tools === undefined || tools === null || (Array.isArray(tools) && tools.every(isJsonObject));
  if (!areTools) return 'tools is not a list of objects';
  if (items === undefined) return null;
  if (!Array.isArray(items) || items.length > LIMITS.items) return 'messages_and_choices is not a short list';
  const isItem = (item: unknown) => isJsonObject(item) && (isChoice(item) || typeof item['role'] === 'string');
  return items.every(isItem) ? null : 'an item is neither a message with a role nor a Choice';
}
