import type { ArtifactStore } from '@hone/artifacts';

/** Deletes the resume points of a job that has ended. */
export async function deleteResumePoints(store: ArtifactStore, jobId: string): Promise<void> {
  const prefix = `jobs/${jobId}`;
  for await (const { uri } of store.list(prefix)) if (uri.includes(`${prefix}/resume-`)) await store.delete(uri);
}
