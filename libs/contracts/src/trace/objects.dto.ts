import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsObjectId, IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonValue, IsText, IsTextList, IsWord } from '../validation/rules.js';
import { IsLimit, IsOffset, SORT_DIRECTIONS } from './paging.dto.js';

/** Classes of object that the server itself knows how to fill. */
export const BUILTIN_OBJECT_CLASSES = ['AnnotationSpec'] as const;

export class ObjectDraftDto {
  @IsProjectId() project_id!: string;
  /** Name of the object, 1..128 letters, digits, `_ . -`. */
  @IsObjectId() object_id!: string;
  /** The value: any JSON, kept with the text of its numbers. */
  @IsJsonValue() val!: unknown;
  /** Fills the class keys of `val`, and the defaults of that class. */
  @IsOptional() @IsWord(BUILTIN_OBJECT_CLASSES) builtin_object_class?: (typeof BUILTIN_OBJECT_CLASSES)[number] | null;
  /** 409 when the value's digest is another. */
  @IsOptional() @IsText() expected_digest?: string | null;
}

/** Body of `POST /obj/create`. */
@Example({ obj: { project_id: 'acme/demo', object_id: 'config', val: { temperature: 0.2 } } })
export class ObjectCreateDto {
  @Nested(() => ObjectDraftDto) obj!: ObjectDraftDto;
}

export class ObjectCreateResultDto {
  /** Content digest: 43 alphanumeric characters. */
  @IsText() digest!: string;
  @IsObjectId() object_id!: string;
}

/** All given parts must hold; an empty list is no condition. */
export class ObjectFilterDto {
  @IsOptional() @IsFlag() latest_only?: boolean | null;
  @IsOptional() @IsTextList({ maxItems: 1_000 }) object_ids?: string[] | null;
  @IsOptional() @IsTextList({ maxItems: 1_000 }) base_object_classes?: string[] | null;
  /** Versions without a class are kept. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) exclude_base_object_classes?: string[] | null;
  @IsOptional() @IsTextList({ maxItems: 1_000 }) leaf_object_classes?: string[] | null;
  /** true: only ops; false: only others. */
  @IsOptional() @IsFlag() is_op?: boolean | null;
  /** Versions with any of these tags. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) tags?: string[] | null;
  /** Versions with any of these aliases; `latest` is one. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) aliases?: string[] | null;
}

export class ObjectSortDto {
  @IsWord(['object_id', 'created_at']) field!: 'object_id' | 'created_at';
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** Body of `POST /objs/query`. */
@Example({ project_id: 'acme/demo', filter: { latest_only: true, object_ids: ['config'] }, limit: 10 })
export class ObjectQueryDto {
  @IsProjectId() project_id!: string;
  @IsOptional() @Nested(() => ObjectFilterDto) filter?: ObjectFilterDto | null;
  @IsLimit() limit?: number | null;
  @IsOffset() offset?: number | null;
  /** Default `created_at` asc; ties always by version_index asc, object_id asc. Text sorts by code point. */
  @IsOptional() @NestedList(() => ObjectSortDto) sort_by?: ObjectSortDto[] | null;
  /** true: `val` is `{}` and is not read. */
  @IsOptional() @IsFlag() metadata_only?: boolean | null;
  /** true: adds `size_bytes`. */
  @IsOptional() @IsFlag() include_storage_size?: boolean | null;
  /** true: adds `tags` and `aliases`. */
  @IsOptional() @IsFlag() include_tags_and_aliases?: boolean | null;
}

/** One immutable value of an object. */
export class ObjectVersionDto {
  @IsProjectId() project_id!: string;
  @IsObjectId() object_id!: string;
  @IsDateTime() created_at!: string;
  /** Content digest: 43 alphanumeric characters. */
  @IsText() digest!: string;
  /** 0, 1, 2, … in the order the versions were made. */
  @IsInteger({ min: 0 }) version_index!: number;
  /** 1 on the newest live version, else 0. */
  @IsInteger({ min: 0, max: 1 }) is_latest!: number;
  @IsWord(['object', 'op']) kind!: string;
  @IsOptional() @IsText() base_object_class!: string | null;
  @IsOptional() @IsText() leaf_object_class!: string | null;
  /** `{}` when metadata_only. */
  @IsJsonValue() val!: unknown;
  /** Always null: deleted versions do not appear. */
  @IsOptional() @IsDateTime() deleted_at!: string | null;
  @IsText() svc_user_id!: string;
  /** Bytes of the value's canonical text; only with include_storage_size. */
  @MayOmit() @IsInteger({ min: 0 }) size_bytes?: number;
  /** Sorted; only with include_tags_and_aliases. */
  @MayOmit() @IsTextList() tags?: string[];
  /** Sorted; only with include_tags_and_aliases. */
  @MayOmit() @IsTextList() aliases?: string[];
}

export class ObjectQueryResultDto {
  @NestedList(() => ObjectVersionDto) objs!: ObjectVersionDto[];
}
