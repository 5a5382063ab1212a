import { Module, type Provider } from '@nestjs/common';
import { Database } from '@hone/database';
import { JobControl, JobLease, JobReader, JobReaper, type JobTimes } from '@hone/training-jobs';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';

const withTimes = (type: new (database: Database, times: JobTimes) => unknown): Provider => ({
  provide: type,
  useFactory: (database: Database, { jobTimes }: TrainingConfig) => new type(database, jobTimes),
  inject: [Database, TRAINING_CONFIG],
});

/** What may be done to jobs, and who does it, is a library that the trainers share: here it becomes injectable. */
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
