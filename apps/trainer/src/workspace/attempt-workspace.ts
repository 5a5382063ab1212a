import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ArtifactStore, StoredFolder, TempFolder } from '@hone/artifacts';
import type { Lease } from '@hone/training-jobs';

const OWNER_FILE = 'attempt.json';

/** The private folder of one attempt: its plan, the fetched data, the files of the engine. */
export class AttemptWorkspace {
  private constructor(
    private readonly store: ArtifactStore,
    private readonly folder: TempFolder,
  ) {}

  /** Creates the folder, and deletes what killed attempts of the job left. */
  static async open(store: ArtifactStore, { jobId, attempt }: Lease): Promise<AttemptWorkspace> {
    for await (const { uri } of store.list('tmp')) {
      if ((await findOwner(store, uri)) === jobId) await store.delete(uri);
    }
    const folder = await store.createFolder();
    await writeFile(join(folder.path, OWNER_FILE), JSON.stringify({ job_id: jobId, attempt }));
    return new AttemptWorkspace(store, folder);
  }

  get directory(): string {
    return this.folder.path;
  }

  pathOf(name: string): string {
    return join(this.folder.path, name);
  }

  /** Moves a folder of the workspace into the store. */
  async keep(directory: string, key: string): Promise<StoredFolder> {
    const folder = await this.store.createFolder();
    try {
      await rename(directory, folder.path);
      return await folder.commit(key);
    } finally {
      await folder.discard();
    }
  }

  discard(): Promise<void> {
    return this.folder.discard();
  }
}

/** Id of the job whose attempt a folder under `tmp` belongs to; null: it belongs to no attempt. */
async function findOwner(store: ArtifactStore, uri: string): Promise<string | null> {
  try {
    const text = await readFile(join(await store.localPath(uri), OWNER_FILE), 'utf8');
    return (JSON.parse(text) as { job_id?: string }).job_id ?? null;
  } catch {
    return null;
  }
}
