import { IsOptional } from 'class-validator';

import { typedNameRule } from '../names/names.js';
import { IsQueryList, IsQueryText, IsQueryWord } from '../query/query-rules.js';
import { Example } from '../schema/example.js';
import { fromRule, MayOmit, NestedList } from '../validation/rule.js';
import { IsInteger, IsText, IsWord, listRule, textRule } from '../validation/rules.js';
import { MAX_ROWS, rowRule } from './table-rules.js';
import { TypedObjectCreatedDto, TypedObjectVersionDto } from './typed-objects.dto.js';

/** Body of `POST /v2/{entity}/{project}/datasets`. */
@Example({
  name: 'questions',
  description: 'Sums of one digit.',
  rows: [
    { q: '2+2', a: '4' },
    { q: '3+3', a: '6' },
  ],
})
export class DatasetCreateDto {
  /**
   * Name of the dataset, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. Absent or
   * null: `dataset`.
   */
  @IsOptional() @fromRule(typedNameRule) name?: string | null;
  /** What the dataset holds. Absent or null: none. */
  @IsOptional() @IsText() description?: string | null;
  /** Rows in their order, at most 1,000,000: JSON objects, kept with the text of their numbers. They are stored as a table. */
  @fromRule(listRule(rowRule, { max: MAX_ROWS })) rows!: Record<string, unknown>[];
}

/** Words for the delimiter of a CSV text, and the delimiters. */
export const CSV_DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
const COLUMNS = { max: 1_000 };
const CSV_TYPES = ['text', 'number', 'boolean'] as const;

/** Query of `POST /v2/{entity}/{project}/datasets/from_csv`. */
export class DatasetFromCsvQueryDto {
  /**
   * Name of the dataset, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. Absent:
   * `dataset`.
   */
  @MayOmit() @IsQueryText() name?: string;
  /** What the dataset holds. Absent: nothing is said. */
  @MayOmit() @IsQueryText() description?: string;
  /** `windows-1252` if the text is that. Default `utf-8`; a byte order mark of UTF-16 is recognised. */
  @MayOmit() @IsQueryWord(['utf-8', 'windows-1252']) encoding?: 'utf-8' | 'windows-1252';
  /** `comma`, `semicolon`, `tab` or `pipe`. Absent: the one that parts the first line into the most cells. */
  @MayOmit() @IsQueryWord(Object.keys(CSV_DELIMITERS)) delimiter?: keyof typeof CSV_DELIMITERS;
  /**
   * Types of columns that are named neither in `numbers` nor in `booleans`: `text`, which is the default, or
   * `proposed`, which makes numbers or booleans of columns that lose nothing by it.
   */
  @MayOmit() @IsQueryWord(['text', 'proposed']) types?: 'text' | 'proposed';
  /** Columns whose cells are numbers, one for each time that the parameter is sent; a blank cell is null. */
  @MayOmit() @IsQueryList(textRule(), COLUMNS) numbers?: string[];
  /** Columns whose cells are `true` or `false`, one for each time that the parameter is sent; a blank cell is null. */
  @MayOmit() @IsQueryList(textRule(), COLUMNS) booleans?: string[];
}

/** Answer of `POST /v2/{entity}/{project}/datasets`. */
export class DatasetCreateResultDto extends TypedObjectCreatedDto {
  /** Ref of the version. */
  @IsText() dataset_ref!: string;
}

/** A column of a CSV text. */
export class CsvColumnDto {
  /** Its name, without the blanks around it. */
  @IsText() name!: string;
  /** What its cells became: `text`, `number` or `boolean`. */
  @IsWord(CSV_TYPES) type!: 'text' | 'number' | 'boolean';
  /** The type that would lose nothing of any of its cells. */
  @IsWord(CSV_TYPES) proposed_type!: 'text' | 'number' | 'boolean';
}

/** Answer of `POST /v2/{entity}/{project}/datasets/from_csv`. */
export class DatasetFromCsvResultDto extends DatasetCreateResultDto {
  /** How many rows the dataset has. */
  @IsInteger({ min: 0 }) num_rows!: number;
  /** The columns in their order. */
  @NestedList(() => CsvColumnDto) columns!: CsvColumnDto[];
}

/** Answer of `GET /v2/{entity}/{project}/datasets/{object_id}/versions/{digest}`. */
@Example({
  object_id: 'questions',
  digest: '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  version_index: 0,
  created_at: '2026-01-15T10:00:05.000Z',
  name: 'questions',
  description: 'Sums of one digit.',
  rows: 'hone:///acme/demo/table/fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334',
})
export class DatasetVersionDto extends TypedObjectVersionDto {
  /** Ref of the table with the rows, for `/table/query`. Null: the stored value names no table. */
  @IsOptional() @IsText() rows!: string | null;
}
