import { TrainingBench } from './training-bench.fixture.js';

const REMOTE = new Map([
  ['skyrl', ['large', 'hone-tiny']],
  ['other', ['huge']],
]);
const AT = (engine: string | null) => ({ engine, remote: REMOTE });

describe('jobs and the engines that train them', () => {
  let bench: TrainingBench;
  beforeEach(async () => {
    bench = await TrainingBench.start();
  });
  afterEach(() => bench.close());

  /** The engines whose workers may claim a job of a model with these columns. */
  const takersOf = async (columns: string): Promise<(string | null)[]> => {
    const model = await bench.model();
    await bench.test.sql(`UPDATE trainable_models SET ${columns} WHERE id = $1`, [model.id]);
    const { id, createdBy } = await bench.job(model);
    const takers: (string | null)[] = [];
    for (const engine of [...REMOTE.keys(), null]) {
      const claimed = await bench.lease.claim('worker', AT(engine));
      if (!claimed) continue;
      takers.push(engine);
      await bench.lease.drain(claimed.lease);
    }
    await bench.control.cancelJob(id, createdBy);
    return takers;
  };

  it.each<[string, string, (string | null)[]]>([
    ['a new model goes where its base is listed', `base_model = 'huge'`, ['other']],
    ['a new model of another base stays here', `base_model = 'small'`, [null]],
    ['a model with steps stays with its engine', `base_model = 'huge', engine = 'skyrl', last_step = 3`, ['skyrl']],
    ['a model with steps of this installation stays here', `base_model = 'huge', last_step = 3`, [null]],
    ['one whose engine has left comes here, to be told so', `engine = 'gone', last_step = 3`, [null]],
  ])('%s', async (_, columns, takers) => {
    expect(await takersOf(columns)).toEqual(takers);
  });

  it('are fixed to the engine of the first step', async () => {
    const model = await bench.model();
    const engineOf = async () =>
      (await bench.test.sql('SELECT engine FROM trainable_models WHERE id = $1', [model.id]))[0];
    for (const [engine, expected] of [
      ['skyrl', 'skyrl'],
      [null, 'skyrl'],
    ] as const) {
      await bench.job(model);
      const { lease } = await bench.claimed();
      await bench.plan(lease, 1);
      await bench.steps(lease, 1);
      const draft = { id: lease.jobId, uri: 'local:x', bytes: 1, manifestSha256: 'aa', metrics: {}, jobMetrics: {} };
      await bench.checkpoints.commit(lease, { ...draft, engine });
      expect(await engineOf()).toEqual({ engine: expected });
    }
  });

  it('wait for an engine without a failure, until their queue deadline', async () => {
    const before = await bench.job(await bench.model());
    const { lease } = await bench.claimed();
    expect(await bench.lease.postpone(lease, 60)).toBe('queued');
    const job = await bench.find(lease.jobId);
    expect(job).toMatchObject({ status: 'queued', failures: 0, runDeadlineAt: null, leaseOwner: null });
    expect(job.queueDeadlineAt).toEqual(before.queueDeadlineAt);
    expect(await bench.lease.claim('worker')).toBeNull();
    await bench.test.sql(`UPDATE training_jobs SET available_at = now() - interval '1 second'`, []);
    const again = await bench.claimed();
    await bench.plan(again.lease);
    await bench.steps(again.lease, 1);
    const { runDeadlineAt } = await bench.find(lease.jobId);
    await bench.lease.postpone(again.lease, 0);
    expect(await bench.find(lease.jobId)).toMatchObject({ failures: 0, stepsDone: 1, runDeadlineAt });
  });
});
