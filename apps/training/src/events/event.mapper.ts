import type { TrainingJobEventDto } from '@hone/contracts';
import type { JobEventRecord } from '@hone/training-jobs';

export const toTrainingJobEvent = ({ id, type, data, createdAt }: JobEventRecord): TrainingJobEventDto => ({
  id,
  type,
  data: { ...data },
  created_at: createdAt.toISOString(),
});
