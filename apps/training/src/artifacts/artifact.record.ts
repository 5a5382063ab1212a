import type { FolderFile } from '@hone/artifacts';

import type { OwningProject } from '../access/training-access.js';

/** A live version of an artifact. */
export interface ArtifactVersionRecord extends Omit<OwningProject, 'projectId'> {
  id: string;
  name: string;
  version: number;
  digest: string;
  bytes: number;
  createdAt: Date;
}

/** The same with what its files are read from. */
export interface ArtifactVersionFiles extends ArtifactVersionRecord {
  /** Of its folder in the artifact store. */
  uri: string;
  files: FolderFile[];
}

export interface ArtifactVersionDraft {
  id: string;
  projectId: string;
  name: string;
  /** The model that it goes with; null: none. */
  modelId: string | null;
  uri: string;
  files: readonly FolderFile[];
  digest: string;
  bytes: number;
  /** JSON text. */
  metadata: string;
  createdBy: string;
}
