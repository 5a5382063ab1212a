import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsObjectId, IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonValue, IsText, IsTextList, IsWord } from '../validation/rules.js';
import { IsLimit, IsNextCursor, IsOffset, IsPageCursor, SORT_DIRECTIONS } from './paging.dto.js';

/** Classes of object that the server itself knows how to fill. */
export const BUILTIN_OBJECT_CLASSES = ['AnnotationSpec'] as const;

/** A version of an object to store. */
export class ObjectDraftDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** The value: any JSON, kept with the text of its numbers. */
  @IsJsonValue() val!: unknown;
  /**
   * Class of object whose keys and defaults the server fills into `val`, which is an object then. Absent or null: none.
   */
  @IsOptional() @IsWord(BUILTIN_OBJECT_CLASSES) builtin_object_class?: (typeof BUILTIN_OBJECT_CLASSES)[number] | null;
  /** Digest that the value should have; another one is a 409. Absent or null: not compared. */
  @IsOptional() @IsText() expected_digest?: string | null;
}

/** Body of `POST /obj/create`. */
@Example({ obj: { project_id: 'acme/demo', object_id: 'config', val: { temperature: 0.2 } } })
export class ObjectCreateDto {
  /** The version to store. */
  @Nested(() => ObjectDraftDto) obj!: ObjectDraftDto;
}

/** Answer of `POST /obj/create`. */
export class ObjectCreateResultDto {
  /** Content digest of the version: 43 alphanumeric characters. */
  @IsText() digest!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
}

/** Conditions on versions; all that are given must hold. */
export class ObjectFilterDto {
  /** Whether only the latest version of each object is meant. Absent or null: false. */
  @IsOptional() @IsFlag() latest_only?: boolean | null;
  /** The object is one of these, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) object_ids?: string[] | null;
  /** The base class is one of these, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) base_object_classes?: string[] | null;
  /** The base class is none of these, at most 1,000; versions without a class are kept. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) exclude_base_object_classes?: string[] | null;
  /** The class itself is one of these, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) leaf_object_classes?: string[] | null;
  /** Whether only ops are meant (true), or only other objects (false). Absent or null: both. */
  @IsOptional() @IsFlag() is_op?: boolean | null;
  /** The version has one of these tags, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) tags?: string[] | null;
  /** The version has one of these aliases, at most 1,000; `latest` is one. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) aliases?: string[] | null;
}

/** One field to sort by. */
export class ObjectSortDto {
  /** Field of the version. */
  @IsWord(['object_id', 'created_at']) field!: 'object_id' | 'created_at';
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** Body of `POST /objs/query`. */
@Example({ project_id: 'acme/demo', filter: { latest_only: true, object_ids: ['config'] }, limit: 10 })
export class ObjectQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which versions are meant. Absent or null: all. */
  @IsOptional() @Nested(() => ObjectFilterDto) filter?: ObjectFilterDto | null;
  /** Most results to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Results to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
  /**
   * Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `filter` and `sort_by`.
   * `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no
   * pages.
   */
  @IsPageCursor() cursor?: string | null;
  /**
   * Fields to sort by, the first before the second; text sorts by code point, ties by version_index and object_id.
   * Absent or null: `created_at` ascending.
   */
  @IsOptional() @NestedList(() => ObjectSortDto) sort_by?: ObjectSortDto[] | null;
  /** Whether values are left out: `val` is `{}` then. Absent or null: false. */
  @IsOptional() @IsFlag() metadata_only?: boolean | null;
  /** Whether `size_bytes` is added. Absent or null: false. */
  @IsOptional() @IsFlag() include_storage_size?: boolean | null;
  /** Whether `tags` and `aliases` are added. Absent or null: false. */
  @IsOptional() @IsFlag() include_tags_and_aliases?: boolean | null;
}

/** One immutable value of an object. */
export class ObjectVersionDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** When the version was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Content digest of the version: 43 alphanumeric characters. */
  @IsText() digest!: string;
  /** Number of the version: 0, 1, 2, … in the order in which they were made. */
  @IsInteger({ min: 0 }) version_index!: number;
  /** Whether this is the newest live version: 1, else 0. */
  @IsInteger({ min: 0, max: 1 }) is_latest!: number;
  /** `op` for a versioned function, `object` for anything else. */
  @IsWord(['object', 'op']) kind!: string;
  /** Class that the value is of, at its base. Null: none. */
  @IsOptional() @IsText() base_object_class!: string | null;
  /** Class that the value is of. Null: none. */
  @IsOptional() @IsText() leaf_object_class!: string | null;
  /** The value, any JSON; `{}` with metadata_only. */
  @IsJsonValue() val!: unknown;
  /** Always null: deleted versions do not appear. */
  @IsOptional() @IsDateTime() deleted_at!: string | null;
  /** Id of the user who stored the version. */
  @IsText() svc_user_id!: string;
  /** Bytes of the value's canonical text. Absent: not asked for. */
  @MayOmit() @IsInteger({ min: 0 }) size_bytes?: number;
  /** Tags of the version, sorted. Absent: not asked for. */
  @MayOmit() @IsTextList() tags?: string[];
  /** Aliases of the version, sorted. Absent: not asked for. */
  @MayOmit() @IsTextList() aliases?: string[];
}

/** Answer of `POST /objs/query`. */
export class ObjectQueryResultDto {
  /** The versions, at most `limit` of them. */
  @NestedList(() => ObjectVersionDto) objs!: ObjectVersionDto[];
  /** Cursor of the next page. Null: this is the last. Absent: the body had no cursor. */
  @IsNextCursor() next_cursor?: string | null;
}
