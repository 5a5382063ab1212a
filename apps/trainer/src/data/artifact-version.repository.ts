import type { FolderFile } from '@hone/artifacts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

export interface ArtifactVersionRecord {
  /** Of its folder. */
  readonly uri: string;
  readonly files: readonly FolderFile[];
}

@Injectable()
export class ArtifactVersionRepository {
  constructor(private readonly database: Database) {}

  /** Null: it does not exist, or is deleted. */
  async findVersion(id: string): Promise<ArtifactVersionRecord | null> {
    // The version may be of another project, which the author of the job could read when it was created.
    const row = await this.database.client.artifactVersion.findUnique({ where: { id }, select: COLUMNS });
    return row === null || row.deletedAt !== null
      ? null
      : { uri: row.uri, files: row.files as unknown as FolderFile[] };
  }
}

const COLUMNS = { uri: true, files: true, deletedAt: true } as const;
