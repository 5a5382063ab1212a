import type { ArtifactStore } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import { DEFAULT_PAGE_LIMIT, type LoggedTrajectoryDto, RawJson, type TrajectoriesQueryDto } from '@hone/contracts';
import { BodyThreads } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';

import { type Page, toPage, unknownCursor } from '../http/page.js';
import { ModelAccess } from '../models/model-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { TASK } from './stored-trajectories.task.js';
import { parseTrajectoryId, trajectoryId, type TrajectoryRecord } from './trajectory.record.js';
import { TrajectoryRepository } from './trajectory.repository.js';

/** A page ends early when its texts have more characters; one trajectory fits always. */
const MAX_CHARACTERS = 16_777_216;
/** Bodies up to this size are read where they are: a thread would take longer. */
const SMALL_BYTES = 1_048_576;

@Injectable()
export class TrajectoriesService {
  constructor(
    private readonly models: ModelAccess,
    private readonly trajectories: TrajectoryRepository,
    private readonly threads: BodyThreads,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /**
   * What was logged for a model, as it was sent. A page of large ones may have fewer than `limit`.
   *
   * @throws ValidationError, ModelNotFoundError, AccessDeniedError
   * @throws StoredFileMissingError, StoredFileCorruptError
   */
  async list(caller: Principal, modelId: string, query: TrajectoriesQueryDto): Promise<Page<LoggedTrajectoryDto>> {
    const { limit = DEFAULT_PAGE_LIMIT, split, step } = query;
    const after = query.after === undefined ? undefined : parseTrajectoryId(query.after);
    const model = await this.models.getReadable(caller, modelId);
    if (after && !(await this.trajectories.exists(model, after))) throw unknownCursor();
    const found = await this.trajectories.list(model, { split, step }, limit + 1, after);
    const items = await this.withTexts(found.slice(0, limit));
    return { ...toPage(items, limit), has_more: items.length < found.length };
  }

  private async withTexts(records: readonly TrajectoryRecord[]): Promise<LoggedTrajectoryDto[]> {
    const items: LoggedTrajectoryDto[] = [];
    let characters = 0;
    for (const batch of byBatch(records)) {
      const texts = await this.read(batch);
      for (const [index, record] of batch.entries()) {
        const text = texts[index] as string;
        characters += text.length;
        if (characters > MAX_CHARACTERS && items.length > 0) return items;
        items.push(toItem(record, text));
      }
    }
    return items;
  }

  /** Texts of trajectories of one call. */
  private async read(batch: readonly TrajectoryRecord[]): Promise<string[]> {
    const [{ uri, sha256 }] = batch as [TrajectoryRecord];
    const gzipped = await this.store.read(uri, sha256);
    const input = { gzipped, positions: batch.map((one): [number, number] => [one.groupIndex, one.index]) };
    const inflatedBytes = gzipped.readUInt32LE(gzipped.length - 4); // the end of a gzip file says so
    return inflatedBytes > SMALL_BYTES ? this.threads.run(TASK, input) : TASK.run(input);
  }
}

/** The records of each call together. */
function byBatch(records: readonly TrajectoryRecord[]): Iterable<TrajectoryRecord[]> {
  const batches = new Map<string, TrajectoryRecord[]>();
  for (const record of records) batches.set(record.batchId, [...(batches.get(record.batchId) ?? []), record]);
  return batches.values();
}

const toItem = (record: TrajectoryRecord, text: string): LoggedTrajectoryDto => ({
  id: trajectoryId(record),
  split: record.split,
  step: record.step,
  group_index: record.groupIndex,
  index: record.index,
  reward: record.reward,
  metrics: record.metrics,
  trajectory: new RawJson(text),
});
