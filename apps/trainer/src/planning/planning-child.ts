import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';

import {
  countParameters,
  EngineError,
  lowerPriority,
  openBaseModel,
  openRemoteModel,
  type Plan,
  PlanError,
  planLines,
  planningTokenizerOf,
  planPreference,
  planRl,
  planSft,
  readGroupLines,
  type RemoteModel,
  type TrajectoryGroupInput,
  warnOfLearningRate,
  warnOfLines,
  warnOfRewards,
  warnOfStaleness,
} from '@hone/engine';

import { DataError, StoredDataDamagedError } from '../data/data.errors.js';
import { readLines } from '../data/read-lines.js';
import type { InputFile } from '../data/training-data.js';
import { tokensOf } from './measure-plan.js';
import type { FromPlanning, LastOfPlanning, PlanResult, PlanTask } from './planning-messages.js';

/** Lines are buffered and written in chunks of about this many characters. */
const CHUNK_CHARACTERS = 1_000_000;
const PROGRESS_MS = 1_000;

/**
 * The process that plans one job: it parses and tokenizes input of many megabytes, while its parent continues to
 * extend its leases, and gives its memory back.
 */
function main(): void {
  lowerPriority();
  process.on('disconnect', () => process.exit(1));
  process.once('message', (task: PlanTask) => {
    void carryOut(task).then((message) => send(message, () => process.exit(0)));
  });
}

const send = (message: FromPlanning, then = (): void => undefined): void => void process.send?.(message, then);

async function carryOut(task: PlanTask): Promise<LastOfPlanning> {
  try {
    return { type: 'planned', result: await resultOf(task) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const hint = error instanceof PlanError || error instanceof DataError ? error.hint : null;
    const locs = error instanceof PlanError ? error.locs : null;
    return { type: 'failed', code: error.code, message: error.message, hint, locs };
  }
}

async function resultOf(task: PlanTask): Promise<PlanResult> {
  const { baseDirectory, maxParams } = task;
  const base = await (maxParams === null
    ? openRemoteModel(baseDirectory)
    : openBaseModel(baseDirectory, { maxParams }));
  const { plan, groups } = await planOf(task, base);
  await writeLines(task.output, plan);
  const rewards = groups?.map(({ trajectories = [] }) => trajectories.map(({ reward = 0 }) => reward));
  const warnings = [
    ...warnOfLearningRate(task.type, countParameters(base.config), task.config.learning_rate),
    ...(task.type === 'rl'
      ? [...warnOfRewards(rewards ?? []), ...warnOfStaleness(plan)]
      : warnOfLines(task.type, plan)),
  ];
  return { digest: plan.digest, rowTokens: plan.rows.map(tokensOf), counts: plan.counts, warnings };
}

/** @returns also the trajectories of reinforcement learning; null: another kind of job */
async function planOf(
  task: PlanTask,
  base: RemoteModel,
): Promise<{ plan: Plan; groups: TrajectoryGroupInput[] | null }> {
  const contextLength = Math.min(task.maxContext, base.config.maxPositions);
  const context = { tokenizer: planningTokenizerOf(base), contextLength };
  if (task.type === 'rl') {
    const { input, hasLines, maxLines } = task;
    const groups = hasLines ? await readGroupLines(await linesOf(input, maxLines)) : await readGroups(input);
    return { plan: planRl(groups, task.config, { ...context, parentStep: task.parentStep }), groups };
  }
  const { input, validation, maxLines } = task;
  const validationLines = validation && (await linesOf(validation, maxLines));
  const lines = await linesOf(input, maxLines);
  const plan =
    task.type === 'sft'
      ? await planSft(lines, task.config, context, validationLines)
      : await planPreference(lines, task.config, context, validationLines);
  return { plan, groups: null };
}

async function linesOf(file: InputFile, maxLines: number): Promise<AsyncIterable<string | null>> {
  await verify(file);
  return withProgress(readLines(createReadStream(file.path), maxLines));
}

/** Reports progress from time to time, so that a very long file does not count as a stall. */
async function* withProgress(lines: AsyncIterable<string | null>): AsyncGenerator<string | null> {
  let toldMs = performance.now();
  for await (const line of lines) {
    yield line;
    const now = performance.now();
    if (now - toldMs < PROGRESS_MS) continue;
    toldMs = now;
    send({ type: 'progress' });
  }
}

/** The request body as it was stored: `{"trajectory_groups": [...]}`, or the list alone; may be gzip. */
async function readGroups({ path, sha256 }: InputFile): Promise<TrajectoryGroupInput[]> {
  const bytes = await readFile(path);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new StoredDataDamagedError();
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const body = JSON.parse((isGzip ? gunzipSync(bytes) : bytes).toString('utf8')) as
    TrajectoryGroupInput[] | { trajectory_groups: TrajectoryGroupInput[] };
  return Array.isArray(body) ? body : body.trajectory_groups;
}

async function verify({ path, sha256 }: InputFile): Promise<void> {
  if (sha256 === null) return;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw new StoredDataDamagedError();
}

async function writeLines(path: string, plan: Plan): Promise<void> {
  const file = await open(path, 'w');
  try {
    let text = '';
    for (const line of planLines(plan)) {
      text += `${line}\n`;
      if (text.length < CHUNK_CHARACTERS) continue;
      await file.write(text);
      text = '';
    }
    await file.write(text);
  } finally {
    await file.close();
  }
}

main();
