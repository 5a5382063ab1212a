import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonObject, IsText, IsTextList, listRule, textRule } from '../validation/rules.js';
import { IsLimit, IsOffset, type SORT_DIRECTIONS } from './paging.dto.js';
import { MAX_ROWS, rowRule, rowSortRule, type TableStep, tableStepRule } from './table-rules.js';

const digestRule = textRule({ min: 1, max: 128 });

/** A table to store. */
export class TableDraftDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Rows in their order, at most 1,000,000: JSON objects, kept with the text of their numbers. Equal rows are stored once.
   * `/table/update` appends more.
   */
  @fromRule(listRule(rowRule, { max: MAX_ROWS })) rows!: Record<string, unknown>[];
  /** Digest that the table should have; another one is a 409. Absent or null: not compared. */
  @IsOptional() @IsText() expected_digest?: string | null;
}

/** Body of `POST /table/create`. */
@Example({
  table: {
    project_id: 'acme/demo',
    rows: [
      { q: '2+2', a: '4' },
      { q: '3+3', a: '6' },
    ],
  },
})
export class TableCreateDto {
  /** The table to store. */
  @Nested(() => TableDraftDto) table!: TableDraftDto;
}

/** Answer of `POST /table/create`. */
export class TableCreateResultDto {
  /** Digest of the table: hex SHA-256 of the joined row digests, 64 characters. */
  @IsText() digest!: string;
  /** Content digests of the rows, in their order. */
  @IsTextList() row_digests!: string[];
}

/** Body of `POST /table/create_from_digests`. */
@Example({ project_id: 'acme/demo', row_digests: ['0S9DGT9WaTh3NmpAYXd7YBefvlTW2psFGfzNGj9yHu8'] })
export class TableFromDigestsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Content digests of rows that the project has, in the order of the table. */
  @fromRule(listRule(digestRule)) row_digests!: string[];
  /** Digest that the table should have; another one is a 409. Absent or null: not compared. */
  @IsOptional() @IsText() expected_digest?: string | null;
}

/** Answer of `POST /table/create_from_digests`. */
export class TableDigestDto {
  /** Digest of the table: hex SHA-256 of the joined row digests, 64 characters. */
  @IsText() digest!: string;
}

/** Body of `POST /table/update`. */
@Example({
  project_id: 'acme/demo',
  base_digest: 'fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334',
  updates: [
    { append: { row: { q: '4+4', a: '8' } } },
    { insert: { index: 0, row: { q: '1+1', a: '2' } } },
    { pop: { index: 1 } },
  ],
})
export class TableUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Digest of the table to begin with, which stays as it is. */
  @fromRule(digestRule) base_digest!: string;
  /**
   * Changes, one after the other: `{"append":{"row"}}`, `{"insert":{"index","row"}}` before the row at `index`, or
   * `{"pop":{"index"}}`, which takes a row out. An index counts from 0 in the rows as they are by then. At most 1,000,000.
   */
  @fromRule(listRule(tableStepRule, { max: MAX_ROWS })) updates!: TableStep[];
}

/** Answer of `POST /table/update`. */
export class TableUpdateResultDto {
  /** Digest of the new table: hex SHA-256 of the joined row digests, 64 characters. */
  @IsText() digest!: string;
  /** Content digests of the rows that were appended, inserted or taken out, in the order of the updates. */
  @IsTextList() updated_row_digests!: string[];
}

/** Conditions on rows. */
export class TableFilterDto {
  /** The row is one of these, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @fromRule(listRule(digestRule, { max: 1_000 })) row_digests?: string[] | null;
}

/** One field of rows to sort by. */
export interface TableSort {
  field: string;
  direction: (typeof SORT_DIRECTIONS)[number];
}

/** Body of `POST /table/query` and `POST /table/query_stream`. */
@Example({
  project_id: 'acme/demo',
  digest: 'fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334',
  limit: 10,
})
export class TableQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Digest of the table. */
  @fromRule(digestRule) digest!: string;
  /** Which rows are meant. Absent or null: all. */
  @IsOptional() @Nested(() => TableFilterDto) filter?: TableFilterDto | null;
  /** Most results to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Results to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
  /**
   * Fields to sort by, the first before the second, at most 10: `field` is a dotted path into the row, in which `\.` is a
   * dot within a key, `direction` is `asc` or `desc`. Values sort as text by code point, missing ones last, ties in the
   * order of the table. Absent, null or empty: the order of the table.
   */
  @IsOptional() @fromRule(listRule(rowSortRule, { max: 10 })) sort_by?: TableSort[] | null;
}

/** A row of a table. */
export class TableRowDto {
  /** Content digest of the row: 43 alphanumeric characters. */
  @IsText() digest!: string;
  /** The row. */
  @IsJsonObject() val!: Record<string, unknown>;
  /** Position of the row in the table, from 0. */
  @IsInteger({ min: 0 }) original_index!: number;
}

/** Answer of `POST /table/query`. */
export class TableQueryResultDto {
  /** The rows, at most `limit` of them. */
  @NestedList(() => TableRowDto) rows!: TableRowDto[];
}

/** Body of `POST /table/query_stats`. */
@Example({
  project_id: 'acme/demo',
  digest: 'fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334',
})
export class TableStatsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Digest of the table. */
  @fromRule(digestRule) digest!: string;
}

/** Answer of `POST /table/query_stats`. */
export class TableStatsResultDto {
  /** Rows of the table. */
  @IsInteger({ min: 0 }) count!: number;
}

/** Body of `POST /table/query_stats_batch`. */
@Example({
  project_id: 'acme/demo',
  digests: ['fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334'],
  include_storage_size: true,
})
export class TableStatsBatchDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Digests of tables, at most 1,000; those that the project does not have are left out. */
  @fromRule(listRule(digestRule, { max: 1_000 })) digests!: string[];
  /** Whether `storage_size_bytes` is added. Absent or null: false. */
  @IsOptional() @IsFlag() include_storage_size?: boolean | null;
}

/** What is known of a table. */
export class TableStatsItemDto {
  /** Digest of the table. */
  @IsText() digest!: string;
  /** Rows of the table. */
  @IsInteger({ min: 0 }) count!: number;
  /** Bytes of the canonical texts of its rows, equal rows counted once. Absent: not asked for. */
  @MayOmit() @IsInteger({ min: 0 }) storage_size_bytes?: number;
}

/** Answer of `POST /table/query_stats_batch`. */
export class TableStatsBatchResultDto {
  /** The tables that there are, in the order in which they were asked for. */
  @NestedList(() => TableStatsItemDto) tables!: TableStatsItemDto[];
}

/** Body of `POST /table/erase`. */
@Example({
  project_id: 'acme/demo',
  digest: 'fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334',
})
export class TableEraseDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Digest of the table. A table that a live version of an object names is not erased: delete the version first. */
  @fromRule(digestRule) digest!: string;
}

/** Body of `POST /table/rows/erase`. */
@Example({ project_id: 'acme/demo', row_digests: ['JIeVpHJwirHfsDfYYbLsu0kt7bGf4nhMQGIOagUDKw4'] })
export class TableRowsEraseDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Content digests of rows, at most 1,000; those that the project does not have are left out. In every table that has
   * them they read as `{}` until an equal row is stored again.
   */
  @fromRule(listRule(digestRule, { max: 1_000 })) row_digests!: string[];
}

/** Answer of `POST /table/erase` and `POST /table/rows/erase`. */
export class TableEraseResultDto {
  /** How many rows were erased. */
  @IsInteger({ min: 0 }) num_erased_rows!: number;
}
