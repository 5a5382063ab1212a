import type { FolderFile } from '@hone/artifacts';
import {
  type ArtifactUploadedDto,
  type ArtifactVersionDto,
  formatArtifactRef,
  type StoredFileDto,
} from '@hone/contracts';

import type { ArtifactVersionRecord } from './artifact.record.js';

/** @param scheme of the refs that this server writes */
export const artifactUrl = (
  { entity, project, name, version }: Pick<ArtifactVersionRecord, 'entity' | 'project' | 'name' | 'version'>,
  scheme: string,
): string => formatArtifactRef({ scheme, entity, project, name, version });

export const toArtifactVersion = (record: ArtifactVersionRecord, scheme: string): ArtifactVersionDto => ({
  id: record.id,
  name: record.name,
  version: `v${record.version}`,
  url: artifactUrl(record, scheme),
  digest: record.digest,
  bytes: record.bytes,
  created_at: record.createdAt.toISOString(),
});

export const toUploaded = (
  record: Omit<ArtifactVersionRecord, 'createdAt'>,
  files: readonly FolderFile[],
  scheme: string,
): ArtifactUploadedDto => ({
  url: artifactUrl(record, scheme),
  version: `v${record.version}`,
  id: record.id,
  digest: record.digest,
  bytes: record.bytes,
  files: files.map(toStoredFile),
});

const toStoredFile = ({ path, bytes, sha256 }: FolderFile): StoredFileDto => ({ path, bytes, sha256 });
