import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

import type { ArtifactStore } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import type { TrajectoryLoggedDto } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import type { ReadBody } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';

import { MetricMeansRepository } from '../models/metric-means.repository.js';
import { ModelAccess } from '../models/model-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { type LogDraft, LogRepository } from './log.repository.js';
import type { LogContent } from './log-content.js';

const SLICE_BYTES = 262_144;
/** The fastest: texts shrink to a third with it, and to a quarter with the slowest. */
const GZIP_LEVEL = 1;

@Injectable()
export class LogService {
  constructor(
    private readonly models: ModelAccess,
    private readonly batches: LogRepository,
    private readonly means: MetricMeansRepository,
    private readonly database: Database,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /**
   * Keeps trajectories as they were sent, and merges their means into the metrics of the latest checkpoint.
   *
   * @throws ModelNotFoundError, AccessDeniedError
   * @throws StorageUnavailableError nothing was logged
   */
  async log(
    author: Principal,
    modelId: string,
    { content, bytes }: ReadBody<LogContent>,
  ): Promise<TrajectoryLoggedDto> {
    const model = await this.models.getWritable(author, modelId);
    const id = newId();
    // The bytes come first: a row never refers to missing bytes. The collector deletes bytes without a row.
    const stored = await this.store.put(`logs/${model.id}/${id}.json.gz`, gzip(bytes));
    await this.database.transaction(async () => {
      await this.models.lock(model);
      const step = await this.batches.latestStep(model);
      await this.write({ id, model, step, content, stored, createdBy: author.userId });
    });
    return { logged: { trajectory_groups: content.groups, trajectories: content.trajectories } };
  }

  private async write(draft: LogDraft): Promise<void> {
    const { model, step, content } = draft;
    await this.batches.insert(draft);
    // Step 0 is the base, which has no row: its means are made when the model is read.
    if (step === 0 || content.sums.length === 0) return;
    await this.batches.mergeMetrics(model, step, await this.means.find(model, step, content.split));
  }
}

function gzip(bytes: Buffer): Readable {
  return Readable.from(slicesOf(bytes)).pipe(createGzip({ level: GZIP_LEVEL }));
}

function* slicesOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
