import type { JsonObject } from '@hone/contracts';

import { classKeys } from '../objects/typed-object.js';
import { textOrNull, type TypedKind, type VersionHead } from '../typed-objects/typed-kind.js';
import { DatasetNotFoundError } from './dataset.errors.js';
import type { SentDataset } from './dataset-bodies.task.js';

const DATASET_CLASS = 'Dataset';

export interface DatasetVersion extends VersionHead {
  rows: string | null;
}

export const DATASET: TypedKind<DatasetVersion> = {
  noun: 'dataset',
  only: { kind: 'object', baseObjectClass: DATASET_CLASS },
  notFound: DatasetNotFoundError,
  toVersion: ({ head, val }) => ({ ...head, rows: textOrNull(val['rows']) }),
};

/** The value under which a dataset is stored. @param rows ref of its table */
export const toDatasetVal = ({ name, description }: Omit<SentDataset, 'table'>, rows: string): JsonObject => ({
  ...classKeys(DATASET_CLASS),
  name,
  description,
  rows,
});
