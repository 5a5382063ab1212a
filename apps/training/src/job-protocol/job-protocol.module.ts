import { Database } from '@hone/database';
import { JobControl, JobLease, JobReader, JobReaper, type JobTimes } from '@hone/training-jobs';
import { Module, type Provider } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';

const withTimes = (type: new (database: Database, times: JobTimes) => unknown): Provider => ({
  provide: type,
  useFactory: (database: Database, { jobTimes }: TrainingConfig) => new type(database, jobTimes),
  inject: [Database, TRAINING_CONFIG],
});

/** Makes the classes of `@hone/training-jobs`, which the trainers share, injectable. */
@Module({
  providers: [
    withTimes(JobControl),
    withTimes(JobLease),
    withTimes(JobReaper),
    { provide: JobReader, useFactory: (database: Database) => new JobReader(database), inject: [Database] },
  ],
  exports: [JobControl, JobLease, JobReader, JobReaper],
})
export class JobProtocolModule {}
