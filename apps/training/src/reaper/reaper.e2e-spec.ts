import { until } from '@hone/testing';
import { DEFAULT_JOB_TIMES } from '@hone/training-jobs';

import { FakeWorker } from '../jobs/fake-worker.fixture.js';
import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { ReaperService } from './reaper.service.js';

const JOBS = '/v1/preview/training-jobs';
const jobTimes = { ...DEFAULT_JOB_TIMES, maxFailures: 1 };

let app: TrainingApp;
afterEach(() => app.close());

async function aJob(): Promise<string> {
  const body = { model_id: await createModel(app.caller), trajectory_groups: [] };
  return (await app.caller.post(JOBS, body)).json().id;
}
const read = async (id: string) => (await app.caller.get(`${JOBS}/${id}`)).json();
const hasFailed = async (id: string) => (await read(id)).status === 'failed';

describe('the reaper', () => {
  it('ends a job that no worker takes, without being asked', async () => {
    app = await startTrainingApp({ jobTimes: { ...jobTimes, queueDeadlineSeconds: 0.5 } }, {}, { runsJobs: true });
    const id = await aJob();
    await until(() => hasFailed(id), 'the end of the job');
    expect(await read(id)).toMatchObject({
      finished_at: expect.any(String),
      error: { code: 'job.queue_timeout', hint: expect.stringContaining('/v1/system-check'), retryable: true },
    });
    expect((await app.caller.get(`${JOBS}/${id}/events`)).json().data).toMatchObject([
      { type: 'training_failed', data: { code: 'job.queue_timeout', error_message: expect.any(String) } },
    ]);
  });

  it('leaves a job alone that waits for longer than it may run', async () => {
    app = await startTrainingApp({ jobTimes: { ...DEFAULT_JOB_TIMES, runDeadlineSeconds: 0.001 } });
    const id = await aJob();
    await app.app.get(ReaperService).run();
    expect(await read(id)).toMatchObject({ status: 'queued', error: null });
  });

  it('ends the job of a worker that was lost once too often, and closes its stream of events', async () => {
    app = await startTrainingApp({ jobTimes }, {}, { runsJobs: true });
    const id = await aJob();
    await new FakeWorker(app.db, jobTimes).start(3);
    const { last_id: after } = (await app.caller.get(`${JOBS}/${id}/events`)).json();
    const next = app.caller.get(`${JOBS}/${id}/events?wait=25&after=${after}`);
    await app.sql(`UPDATE training_jobs SET lease_expires_at = now() - interval '1 second'`);
    expect((await next).json().data).toMatchObject([{ type: 'training_failed', data: { code: 'job.worker_lost' } }]);
    expect(await read(id)).toMatchObject({ status: 'failed', attempt: 1, progress: { gradient_steps_done: 0 } });
  });
});
