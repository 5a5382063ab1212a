import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsObjectId } from '../names/names.js';
import { IsQueryInteger } from '../query/query-rules.js';
import { fromRule, MayOmit } from '../validation/rule.js';
import { IsInteger, IsText, listRule, textRule } from '../validation/rules.js';

const MAX_INT32 = 2_147_483_647;
const SELECTORS = listRule(textRule({ min: 1 }), { max: 100 });

/** What the creation of any typed object answers. */
export class TypedObjectCreatedDto {
  /** Content digest of the version: 43 alphanumeric characters. */
  @IsText() digest!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** Number of the version: 0, 1, 2, … in the order in which they were made. */
  @IsInteger({ min: 0 }) version_index!: number;
}

/** What any version of a typed object reads as. */
export class TypedObjectVersionDto {
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** Content digest of the version, whatever selector was asked for. */
  @IsText() digest!: string;
  /** Number of the version: 0, 1, 2, … in the order in which they were made. */
  @IsInteger({ min: 0 }) version_index!: number;
  /** When the version was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** The name as it was given; the object's id when none was. */
  @IsText() name!: string;
  /** What the object is for. Null: none was given. */
  @IsOptional() @IsText() description!: string | null;
}

/** Query of a list of typed objects. */
export class TypedObjectListQueryDto {
  /** Most objects to answer, 0 to 2,147,483,647. Absent: all. */
  @MayOmit() @IsQueryInteger(0, MAX_INT32) limit?: number;
  /** Objects to skip, 0 to 2,147,483,647. Absent: 0. */
  @MayOmit() @IsQueryInteger(0, MAX_INT32, 0) offset?: number;
}

/** Answer of the deletion of versions of a typed object. */
export class VersionsDeleteResultDto {
  /** Versions that this request deleted. */
  @IsInteger({ min: 0 }) num_deleted!: number;
}

/** Query of the deletion of versions of a typed object. Any other parameter, and any body, is a 422. */
export class VersionsDeleteQueryDto {
  /**
   * Versions to delete: content digests, `v<N>`, `latest` or aliases, at most 100, one for each time that the parameter
   * is sent; `digests[]` is the same. Absent: all versions, which takes a request without another parameter or a body.
   */
  @MayOmit() @fromRule(SELECTORS) digests?: string[];
}
