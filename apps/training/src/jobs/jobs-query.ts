import {
  TRAINING_JOB_KINDS,
  TRAINING_JOB_STATUSES,
  type TrainingJobKind,
  type TrainingJobStatus,
} from '@hone/contracts';

import { type OrderedPageQuery, ORDERS, readPage } from '../http/page.js';
import { type Query, QueryValues } from '../http/query-values.js';

/** What a list of jobs is narrowed to; undefined: not. */
export interface JobsQuery extends OrderedPageQuery {
  entity: string | undefined;
  project: string | undefined;
  modelId: string | undefined;
  kind: TrainingJobKind | undefined;
  status: TrainingJobStatus | undefined;
}

/** @throws ValidationError */
export function readJobsQuery(query: Query): JobsQuery {
  const values = new QueryValues(query);
  const read = {
    ...readPage(values),
    order: values.word('order', ORDERS) ?? 'desc',
    entity: values.text('entity'),
    project: values.text('project'),
    modelId: values.id('model_id'),
    kind: values.word('kind', TRAINING_JOB_KINDS),
    status: values.word('status', TRAINING_JOB_STATUSES),
  };
  values.assertValid();
  return read;
}
