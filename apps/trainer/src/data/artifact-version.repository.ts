import type { FolderFile } from '@hone/artifacts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

export interface ArtifactVersionRecord {
  /** Uri of its folder in the store. */
  readonly uri: string;
  readonly files: readonly FolderFile[];
}

@Injectable()
export class ArtifactVersionRepository {
  constructor(private readonly database: Database) {}

  /** Null: it does not exist, or is deleted. */
  async findVersion(id: string): Promise<ArtifactVersionRecord | null> {
    // The version may belong to another project. The author of the job was able to read it when the job was created.
    const row = await this.database.client.artifactVersion.findUnique({ where: { id }, select: COLUMNS });
    return row === null || row.deletedAt !== null
      ? null
      : { uri: row.uri, files: row.files as unknown as FolderFile[] };
  }
}

const COLUMNS = { uri: true, files: true, deletedAt: true } as const;
