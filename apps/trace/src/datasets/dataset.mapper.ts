import type { JsonObject } from '@hone/contracts';
import { classKeys } from '@hone/objects/content';

import { textOrNull, type TypedKind } from '../typed-objects/typed-kind.js';
import { DatasetNotFoundError } from './dataset.errors.js';

const DATASET_CLASS = 'Dataset';

export const DATASET: TypedKind = {
  noun: 'dataset',
  only: { kind: 'object', baseObjectClass: DATASET_CLASS },
  notFound: DatasetNotFoundError,
  toFields: (val) => ({ rows: textOrNull(val['rows']) }),
};

/** What a caller says of a dataset. */
export interface DatasetWords {
  /** Null: the name of the kind. */
  readonly name: string | null;
  readonly description: string | null;
}

/** The value under which a dataset is stored. @param rows ref of its table */
export const toDatasetVal = ({ name, description }: DatasetWords, rows: string): JsonObject => ({
  ...classKeys(DATASET_CLASS),
  name,
  description,
  rows,
});
