import { type ArtifactStore } from '@hone/artifacts';
import { PeriodicJob } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';

import { TRAINER_CONFIG, type TrainerConfig } from '../config/trainer.config.js';
import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { TrainerLog } from '../telemetry/trainer-log.js';
import { WorkerRepository } from '../worker/worker.repository.js';
import { deleteResumePoints } from '../workspace/resume-points.js';
import { GarbageRepository } from './garbage.repository.js';
import { deleteOrphans, deleteOrphansAround, deleteOrphansOfModels, isOld } from './orphans.js';

const BATCH = 500;
/** Trajectories that one statement deletes: about a second of work. */
const ROWS = 50_000;
const PASS_MS = 3_600_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Garbage collection: deletes stored bytes that no row refers to, hourly, in one process at a time. */
@Injectable()
export class CollectorService extends PeriodicJob {
  constructor(
    @Inject(TRAINER_CONFIG) { collectSeconds }: TrainerConfig,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly garbage: GarbageRepository,
    private readonly workers: WorkerRepository,
    private readonly log: TrainerLog,
  ) {
    super(collectSeconds * 1000);
  }

  async run(): Promise<void> {
    try {
      const isDone = await this.garbage.withLock(() => this.pass(), PASS_MS);
      if (isDone) this.log.info({}, 'garbage was collected');
    } catch (error) {
      this.log.warn({ err: error }, 'garbage could not be collected');
    }
  }

  private async pass(): Promise<void> {
    const { store, garbage } = this;
    await this.deleteCheckpoints();
    await this.deleteTrajectories();
    await deleteOrphans(store, 'tmp', async () => new Set());
    // Bytes that a worker wrote before it was killed or lost its lease, or a request before it failed.
    await deleteOrphansOfModels(store, 'models', (uris) => garbage.findCheckpointUris(uris));
    await deleteOrphansOfModels(store, 'logs', (uris) => garbage.findLogUris(uris));
    await deleteOrphansAround(store, 'artifacts', await garbage.listArtifactUris());
    await this.tidyJobs();
    await this.garbage.deleteOldJobs();
    await this.workers.deleteUnseen();
  }

  private async deleteCheckpoints(): Promise<void> {
    for (;;) {
      const uris = await this.garbage.markDeletedCheckpoints(BATCH);
      // Marked first: bytes that this pass fails to delete are orphans, which a later pass finds.
      for (const uri of uris) await this.store.delete(uri);
      if (uris.length < BATCH || this.isStopping) return;
    }
  }

  private async deleteTrajectories(): Promise<void> {
    while ((await this.garbage.deleteTrajectories(ROWS)) === ROWS && !this.isStopping);
  }

  private async tidyJobs(): Promise<void> {
    const batch: { id: string; uri: string; isOld: boolean }[] = [];
    for await (const { uri, modifiedAt } of this.store.list('jobs')) {
      const id = uri.split('/').at(-1) as string;
      if (UUID.test(id)) batch.push({ id, uri, isOld: isOld(modifiedAt) });
      if (batch.length === BATCH) await this.tidyBatch(batch.splice(0));
    }
    await this.tidyBatch(batch);
  }

  private async tidyBatch(batch: readonly { id: string; uri: string; isOld: boolean }[]): Promise<void> {
    if (batch.length === 0 || this.isStopping) return;
    const ages = await this.garbage.findJobAges(batch.map(({ id }) => id));
    for (const { id, uri, isOld } of batch) {
      // A job that does not exist may be about to be created.
      const age = ages.get(id) ?? (isOld ? 'expired' : 'open');
      if (age === 'expired') await this.store.delete(uri);
      else if (age === 'over') await deleteResumePoints(this.store, id);
    }
  }
}
