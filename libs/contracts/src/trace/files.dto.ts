import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule } from '../validation/rule.js';
import { IsInteger, IsText, listRule, textRule } from '../validation/rules.js';

/** Answer of `POST /file/create`. */
export class FileCreateResultDto {
  /** Content digest of the bytes: 43 alphanumeric characters. */
  @IsText() digest!: string;
}

/** Body of `POST /file/content`. */
@Example({ project_id: 'acme/demo', digest: 'JIeVpHJwirHfsDfYYbLsu0kt7bGf4nhMQGIOagUDKw4' })
export class FileContentDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Content digest of the file: 43 alphanumeric characters. */
  @IsText({ min: 1, max: 128 }) digest!: string;
}

/** Body of `POST /files/query_stats`. */
@Example({ project_id: 'acme/demo' })
export class FileStatsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
}

/** Answer of `POST /files/query_stats`. */
export class FileStatsResultDto {
  /** Bytes of the project's files, each counted once. */
  @IsInteger({ min: 0 }) total_size_bytes!: number;
}

/** Body of `POST /file/erase`. */
@Example({ project_id: 'acme/demo', digests: ['JIeVpHJwirHfsDfYYbLsu0kt7bGf4nhMQGIOagUDKw4'] })
export class FileEraseDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Content digests of files, at most 1,000; those that the project does not have are left out. */
  @fromRule(listRule(textRule({ min: 1, max: 128 }), { max: 1_000 })) digests!: string[];
}

/** Answer of `POST /file/erase`. */
export class FileEraseResultDto {
  /** How many files were erased; values that name them stay as they are. */
  @IsInteger({ min: 0 }) num_erased!: number;
}
