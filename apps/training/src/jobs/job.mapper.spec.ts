import type { TrainingJobRecord } from '@hone/training-jobs';

import { toTrainingJob } from './job.mapper.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 15, 10, 0, seconds));
const JOB: TrainingJobRecord = {
  id: 'j',
  projectId: 'p',
  modelId: 'm',
  ordinal: 1n,
  kind: 'rl',
  status: 'queued',
  phase: null,
  config: { learning_rate: 1 },
  extraConfig: null,
  rollouts: null,
  keyId: null,
  roundsDone: 0,
  roundBase: 0,
  trainingDataUrl: null,
  dataVersionId: null,
  validationVersionId: null,
  validationInput: null,
  input: null,
  plan: null,
  numSequences: null,
  learningRateScale: null,
  stepsDone: 0,
  attempt: 0,
  failures: 0,
  leaseOwner: null,
  leaseExpiresAt: null,
  availableAt: at(0),
  queueDeadlineAt: at(50),
  runDeadlineAt: null,
  cancelRequestedAt: null,
  cancelRequestedBy: null,
  resume: null,
  parentId: null,
  parentStep: null,
  referenceId: null,
  producedId: null,
  producedStep: null,
  tokens: {},
  data: {},
  metrics: {},
  warnings: [],
  error: null,
  createdBy: 'u',
  createdAt: at(0),
  queuedAt: at(0),
  startedAt: null,
  runningAt: null,
  finishedAt: null,
};
const map = (more: Partial<TrainingJobRecord>, now = at(10)) =>
  toTrainingJob(
    { ...JOB, ...more },
    { owning: { projectId: 'p', entity: 'acme', project: 'demo' }, queuePosition: undefined, now },
  );

describe('toTrainingJob', () => {
  it('names the artifact of its project that it reads, and no other address', () => {
    const artifact = 'hone-artifact:///acme/demo/a:v0';
    expect(map({ trainingDataUrl: artifact, dataVersionId: 'v' }).training_data_url).toBe(artifact);
    for (const address of ['https://example.org/a?signature=secret', 'hone-artifact:///acme/secret/a:v0', 'no address'])
      expect(map({ trainingDataUrl: address, dataVersionId: 'v' }).training_data_url).toBeNull();
    expect(map({}).training_data_url).toBeNull();
  });

  it('counts times up to now while the job is open, and up to its end after it', () => {
    const started = { status: 'running' as const, startedAt: at(2), runningAt: at(5) };
    expect(map({}).timings_ms).toEqual({ queued: 10_000, preparing: 0, running: 0, total: 10_000 });
    expect(map(started).timings_ms).toEqual({ queued: 2_000, preparing: 3_000, running: 5_000, total: 10_000 });
    const over = { ...started, status: 'succeeded' as const, finishedAt: at(7) };
    expect(map(over, at(1_000)).timings_ms).toEqual({ queued: 2_000, preparing: 3_000, running: 2_000, total: 7_000 });
    expect(map({ status: 'cancelled', finishedAt: at(4) }).timings_ms).toMatchObject({ queued: 4_000, preparing: 0 });
  });

  it('never counts backwards, whatever the clocks say', () => {
    expect(map({}, at(-5)).timings_ms).toMatchObject({ queued: 0, total: 0 });
  });

  it('names the deadline that counts', () => {
    const runDeadlineAt = at(40);
    expect(map({ runDeadlineAt }).deadline_at).toBe(at(50).toISOString());
    expect(map({ runDeadlineAt, status: 'running' }).deadline_at).toBe(at(40).toISOString());
    expect(map({ status: 'failed', finishedAt: at(50) }).deadline_at).toBe(at(50).toISOString());
  });

  it('tells a share of the steps, also of none', () => {
    expect(map({ numSequences: 4, stepsDone: 3 }).progress).toMatchObject({ fraction: 0.75 });
    expect(map({ numSequences: 0, status: 'running' }).progress).toMatchObject({ fraction: 0 });
    expect(map({ numSequences: 0, status: 'succeeded' }).progress).toMatchObject({ fraction: 1 });
  });

  it('takes step 0 for no checkpoint', () => {
    expect(map({ parentStep: 0 }).parent_checkpoint).toBeNull();
    expect(map({ parentStep: 2, parentId: 'c' }).parent_checkpoint).toEqual({ id: 'c', step: 2 });
  });

  it('shows the first path of an error, and all of them', () => {
    const loc = [['trajectory_groups', 0], ['trajectory_groups', 3]]; // prettier-ignore
    const error = { code: 'data.x', message: 'X.', hint: null, loc, retryable: false };
    expect(map({ error }).error).toEqual({ ...error, loc: loc[0], locs: loc });
    expect(map({ error: { ...error, loc: null } }).error).toEqual({ ...error, loc: null, locs: [] });
  });
});
