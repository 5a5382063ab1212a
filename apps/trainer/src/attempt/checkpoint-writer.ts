import { fileURLToPath } from 'node:url';

import type { ArtifactStore } from '@hone/artifacts';
import { newId } from '@hone/database';
import { readCheckpointState, type StoredPart } from '@hone/engine';
import { type EngineState, remoteConfigOf } from '@hone/tinker';
import { JobCheckpoints, type Lease, type PinnedCheckpoint } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';

/** Bytes of a new checkpoint, which no row names yet. */
export interface StoredCheckpoint {
  readonly id: string;
  readonly uri: string;
  readonly bytes: number;
  /** Hex. */
  readonly manifestSha256: string;
  /** How a training server made it; null: the embedded engine did, or it was imported. */
  readonly lineage: EngineState | null;
}

/** Writes checkpoints into the store, and reads them back before their job succeeds. */
@Injectable()
export class CheckpointWriter {
  constructor(
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    private readonly checkpoints: JobCheckpoints,
  ) {}

  /** @throws StorageUnavailableError, CheckpointCorruptError */
  async write(lease: Lease, part: StoredPart, workspace: AttemptWorkspace): Promise<StoredCheckpoint> {
    const id = newId();
    const step = await this.checkpoints.findNextStep(lease);
    const key = `models/${lease.modelId}/step-${step}-a${lease.attempt}-${id}`;
    const { uri, bytes } = await workspace.keep(fileURLToPath(part.uri), key);
    return { id, uri, bytes, manifestSha256: part.sha256, lineage: await this.verify(uri, part.sha256) };
  }

  /** Another step that shares the bytes of an existing checkpoint, verified again. @throws CheckpointCorruptError */
  async share({ uri, bytes, manifestSha256 }: PinnedCheckpoint): Promise<StoredCheckpoint> {
    return { id: newId(), uri, bytes, manifestSha256, lineage: await this.verify(uri, manifestSha256) };
  }

  /** Compares every file with the manifest. */
  private async verify(uri: string, sha256: string): Promise<EngineState | null> {
    const state = await readCheckpointState(await this.store.localPath(uri), sha256);
    return remoteConfigOf(state)?.engine ?? null;
  }
}
