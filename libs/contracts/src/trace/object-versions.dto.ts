import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsObjectId, IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsText, listRule, textRule } from '../validation/rules.js';
import { ObjectVersionDto } from './objects.dto.js';

/** Which version a body means: content digest, `v<N>`, `latest` or an alias. */
export const selectorRule = textRule({ min: 1, max: 128 });
/** Several of them; an empty list says neither all nor none. */
const SELECTORS = listRule(selectorRule, { min: 1, max: 100 });

/** Body of `POST /obj/read`. */
@Example({ project_id: 'acme/demo', object_id: 'config', digest: 'latest' })
export class ObjectReadDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** Version: its content digest, `v<N>`, `latest` or an alias. */
  @fromRule(selectorRule) digest!: string;
  /** Whether the value is left out: `val` is `{}` then. Absent or null: false. */
  @IsOptional() @IsFlag() metadata_only?: boolean | null;
  /** Whether `tags` and `aliases` are added. Absent or null: false. */
  @IsOptional() @IsFlag() include_tags_and_aliases?: boolean | null;
  /**
   * Time, ISO 8601: `latest` or an alias means the version that it named then. A digest and `v<N>` mean the same at any
   * time. Absent or null: now.
   */
  @IsOptional() @IsDateTime() as_of?: string | null;
}

/** Body of `POST /obj/restore`. */
@Example({ project_id: 'acme/demo', object_id: 'config', digest: 'v0' })
export class ObjectRestoreDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** The deleted version: its content digest or `v<N>`. A version that is not deleted stays as it is. */
  @fromRule(selectorRule) digest!: string;
}

/** Answer of `POST /obj/read`. */
export class ObjectReadResultDto {
  /** The version. */
  @Nested(() => ObjectVersionDto) obj!: ObjectVersionDto;
}

/** Body of `POST /obj/delete`. */
@Example({ project_id: 'acme/demo', object_id: 'config', digests: ['v0'] })
export class ObjectDeleteDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** Versions to delete, 1 to 100: content digests, `v<N>`, `latest` or aliases. Absent or null: all. */
  @IsOptional() @fromRule(SELECTORS) digests?: string[] | null;
}

/** A version that a request deleted. */
export class DeletedVersionDto {
  /** Content digest of the version: 43 alphanumeric characters. */
  @IsText() digest!: string;
  /** Class that its value is of, at its base. Null: none. */
  @IsOptional() @IsText() base_object_class!: string | null;
  /** Class that its value is of. Null: none. */
  @IsOptional() @IsText() leaf_object_class!: string | null;
}

/** Answer of `POST /obj/delete`. */
export class ObjectDeleteResultDto {
  /** Versions that this request deleted. */
  @IsInteger({ min: 0 }) num_deleted!: number;
  /** The versions themselves. */
  @NestedList(() => DeletedVersionDto) deleted_versions!: DeletedVersionDto[];
}

/** Body of `POST /obj/erase`. */
@Example({ project_id: 'acme/demo', object_id: 'config' })
export class ObjectEraseDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** Content digests of deleted versions, 1 to 100; others are left out. Absent or null: all that are deleted. */
  @IsOptional() @fromRule(SELECTORS) digests?: string[] | null;
}

/** Answer of `POST /obj/erase`. */
export class ObjectEraseResultDto {
  /** How many versions were erased; nothing brings them back. */
  @IsInteger({ min: 0 }) num_erased!: number;
}
