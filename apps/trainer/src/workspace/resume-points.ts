import type { ArtifactStore } from '@hone/artifacts';

/** A job that is over needs none. */
export async function deleteResumePoints(store: ArtifactStore, jobId: string): Promise<void> {
  const prefix = `jobs/${jobId}`;
  for await (const { uri } of store.list(prefix)) if (uri.includes(`${prefix}/resume-`)) await store.delete(uri);
}
