import {
  check,
  type CsvColumnDto,
  DatasetCreateDto,
  type DatasetFromCsvQueryDto,
  type Issue,
  type JsonObject,
} from '@hone/contracts';
import { bodyTask, outcomeOf, type ReadOutcome, ValidationError } from '@hone/platform/body-task';
import type { Task } from '@hone/threads';

import { type TableDraft, toTableDraft } from '../tables/table-bodies.task.js';
import { readTask } from '../typed-objects/stored-version.js';
import { readCsvRows } from './csv-rows.js';
import { DATASET, type DatasetWords } from './dataset.mapper.js';

/** A version of a dataset, as a body has it. */
export interface SentDataset extends DatasetWords {
  readonly table: TableDraft;
}

/** A CSV file that is to become a dataset. */
export interface SentCsv {
  readonly bytes: Uint8Array;
  readonly query: DatasetFromCsvQueryDto;
  readonly refScheme: string;
}

/** A version of a dataset, as a CSV file has it, and what became of the columns. */
export interface ReadCsv {
  readonly dataset: SentDataset;
  readonly columns: CsvColumnDto[];
}

const module = import.meta.url;

export const DATASET_BODY = bodyTask({
  ...{ type: DatasetCreateDto, module, name: 'DATASET_BODY' },
  digest: (body: DatasetCreateDto, issues, _sent, refScheme) => toSentDataset(body, issues, refScheme),
});

export const READ = readTask(DATASET, module);

/** Reads a CSV file; what is wrong with it are issues of the body, with its name issues of the query. */
export const CSV_FILE: Task<SentCsv, ReadOutcome<ReadCsv>> = {
  ...{ module, name: 'CSV_FILE' },
  run: (sent) => outcomeOf(() => readDataset(sent)),
};

/** @throws ValidationError */
function readDataset({ bytes, query, refScheme }: SentCsv): ReadCsv {
  const { rows, columns } = readCsvRows(bytes, query);
  const { name, description } = query;
  const body = { rows, ...(name && { name }), ...(description && { description }) };
  const { value, issues } = check(DatasetCreateDto, body, ['query']);
  const dataset = value && toSentDataset(value, issues, refScheme);
  if (!dataset || issues.length > 0) throw new ValidationError(issues);
  return { dataset, columns };
}

const toSentDataset = (
  { name, description, rows }: DatasetCreateDto,
  issues: Issue[],
  refScheme: string,
): SentDataset => ({
  name: name ?? null,
  description: description ?? null,
  table: toTableDraft(rows as JsonObject[], ['body', 'rows'], issues, refScheme),
});
