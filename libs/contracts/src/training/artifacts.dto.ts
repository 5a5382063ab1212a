import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { NestedList } from '../validation/rule.js';
import { IsInteger, IsText } from '../validation/rules.js';

import { StoredFileDto } from './checkpoints.dto.js';
import { PageDto } from './page.dto.js';

/** Answer of `POST /v1/preview/artifacts/{entity}/{project}/{name}`: one immutable version. */
export class ArtifactUploadedDto {
  /** Goes into `training_data_url`: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`. */
  @IsText() url!: string;
  /** `v0`, `v1`, ... */
  @IsText() version!: string;
  @IsUuid() id!: string;
  /** Hex SHA-256 over paths and hashes of the files: equal files, equal digest. */
  @IsText() digest!: string;
  /** Of all files. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** By path. */
  @NestedList(() => StoredFileDto) files!: StoredFileDto[];
}

/** A version of an artifact. */
export class ArtifactVersionDto {
  @IsUuid() id!: string;
  @IsText() name!: string;
  @IsText() version!: string;
  @IsText() url!: string;
  @IsText() digest!: string;
  @IsInteger({ min: 0 }) bytes!: number;
  @IsDateTime() created_at!: string;
}

/** A page of artifact versions in the order in which they were made. */
export class ArtifactPageDto extends PageDto {
  @NestedList(() => ArtifactVersionDto) data!: ArtifactVersionDto[];
}

/** Answer of `DELETE /v1/preview/artifacts/{entity}/{project}/{name}/{version}`. */
export class ArtifactDeletedDto {
  @IsUuid() id!: string;
  @IsText() version!: string;
}
