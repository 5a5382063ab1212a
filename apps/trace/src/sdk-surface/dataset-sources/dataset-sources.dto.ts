import {
  AcceptsUnknownFields,
  IsFlag,
  IsJsonObject,
  IsLimit,
  IsObjectId,
  IsOffset,
  IsProjectId,
  IsText,
  IsTextList,
  IsWord,
  NestedList,
} from '@hone/contracts';
import { IsOptional } from 'class-validator';

export const SOURCE_KINDS = ['call', 'span', 'conversation'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

const ID = { min: 1, max: 128 };
const DIGESTS = { ...ID, maxItems: 1_000 };

/** Where a row of a dataset came from. */
export class SourceDto {
  /** Id of the call, span or conversation. */
  @IsText(ID) source_id!: string;
  @IsWord(SOURCE_KINDS) source_kind!: SourceKind;
  /** Id of its trace; may be empty. */
  @IsText({ max: 128 }) source_trace_id!: string;
}

/** A row, and where it came from. */
export class RowSourcesDto {
  @IsText(ID) row_digest!: string;
  @NestedList(() => SourceDto) sources!: SourceDto[];
  /** Kept with each of the links. Absent or null: none. */
  @IsOptional() @IsJsonObject() link_metadata?: Record<string, unknown> | null;
}

/** Body of `POST /dataset_sources/link`. */
@AcceptsUnknownFields()
export class SourcesLinkDto {
  @IsProjectId() project_id!: string;
  @IsObjectId() dataset_object_id!: string;
  /** A version of the dataset. */
  @IsText(ID) dataset_digest!: string;
  @NestedList(() => RowSourcesDto) links!: RowSourcesDto[];
  /** Whether the answer says which links are new. Absent or null: no. */
  @IsOptional() @IsFlag() include_created_status?: boolean | null;
}

/** Body of `POST /dataset_sources/link_delete`. */
@AcceptsUnknownFields()
export class LinksDeleteDto {
  @IsProjectId() project_id!: string;
  /** Ids of links, at most 1,000. Those of no link are answered as not deleted. */
  @IsTextList(DIGESTS) link_ids!: string[];
}

/** Body of `POST /dataset_sources/query`. */
@AcceptsUnknownFields()
export class DatasetSourcesQueryDto {
  @IsProjectId() project_id!: string;
  @IsObjectId() dataset_object_id!: string;
  /** Only links of these rows, at most 1,000. Absent or null: of all. */
  @IsOptional() @IsTextList(DIGESTS) row_digests?: string[] | null;
  /** Only links to sources of these kinds. Absent or null: of all. */
  @IsOptional() @IsTextList({ maxItems: 10 }) source_kinds?: string[] | null;
  @IsOptional() @IsFlag() include_deleted?: boolean | null;
  @IsLimit() limit?: number | null;
  @IsOffset() offset?: number | null;
}

/** Body of `POST /dataset_sources/source_datasets_query`. */
@AcceptsUnknownFields()
export class SourceDatasetsQueryDto {
  @IsProjectId() project_id!: string;
  @NestedList(() => SourceDto) sources!: SourceDto[];
  @IsOptional() @IsFlag() include_deleted?: boolean | null;
}
