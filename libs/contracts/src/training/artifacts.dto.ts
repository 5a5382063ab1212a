import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { NestedList } from '../validation/rule.js';
import { IsInteger, IsText } from '../validation/rules.js';
import { StoredFileDto } from './checkpoints.dto.js';
import { PageDto } from './page.dto.js';

/** Answer of `POST /v1/preview/artifacts/{entity}/{project}/{name}`: one immutable version. */
export class ArtifactUploadedDto {
  /** What `training_data_url` takes: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`. */
  @IsText() url!: string;
  /** Version of the artifact: `v0`, `v1` and so on. */
  @IsText() version!: string;
  /** Id of the version, a UUID. */
  @IsUuid() id!: string;
  /** Hex SHA-256 over the paths and hashes of the files: equal files, equal digest. */
  @IsText() digest!: string;
  /** Bytes of all files together. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** The files, by path. */
  @NestedList(() => StoredFileDto) files!: StoredFileDto[];
}

/** A version of an artifact. */
export class ArtifactVersionDto {
  /** Id of the version, a UUID. */
  @IsUuid() id!: string;
  /** Name of the artifact. */
  @IsText() name!: string;
  /** Version of the artifact: `v0`, `v1` and so on. */
  @IsText() version!: string;
  /** What `training_data_url` takes: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`. */
  @IsText() url!: string;
  /** Hex SHA-256 over the paths and hashes of the files: equal files, equal digest. */
  @IsText() digest!: string;
  /** Bytes of all files together. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** When the version was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}

/** A page of artifact versions in the order in which they were made. */
export class ArtifactPageDto extends PageDto {
  /** At most `limit` versions, in the order in which they were made. */
  @NestedList(() => ArtifactVersionDto) data!: ArtifactVersionDto[];
}

/** Answer of `DELETE /v1/preview/artifacts/{entity}/{project}/{name}/{version}`. */
export class ArtifactDeletedDto {
  /** Id of the deleted version, a UUID. */
  @IsUuid() id!: string;
  /** Version of the artifact: `v0`, `v1` and so on. */
  @IsText() version!: string;
}
