import { pathToFileURL } from 'node:url';

import type { ArtifactStore } from '@hone/artifacts';
import { StoredFileMissingError } from '@hone/artifacts';
import { CheckpointCorruptError, type StoredPart, verifyManifest } from '@hone/engine';
import type { PinnedCheckpoint, TrainingJobRecord } from '@hone/training-jobs';

/** Downloads a checkpoint for an engine on this machine, which verifies the hashes itself. */
export async function partOf(store: ArtifactStore, checkpoint: PinnedCheckpoint | null): Promise<StoredPart | null> {
  if (checkpoint === null) return null;
  return { uri: await urlOf(store, checkpoint.uri), sha256: checkpoint.manifestSha256 };
}

/** The resume point of an earlier attempt; null: there is none, or it is damaged, and the job begins anew. */
export async function resumeOf(
  store: ArtifactStore,
  { resume }: TrainingJobRecord,
): Promise<(StoredPart & { readonly k: number }) | null> {
  if (resume === null) return null;
  try {
    await verifyManifest(await store.localPath(resume.uri), resume.sha256);
  } catch (error) {
    if (error instanceof CheckpointCorruptError || error instanceof StoredFileMissingError) return null;
    throw error;
  }
  return { uri: await urlOf(store, resume.uri), sha256: resume.sha256, k: resume.step };
}

const urlOf = async (store: ArtifactStore, uri: string) => pathToFileURL(await store.localPath(uri)).href;
