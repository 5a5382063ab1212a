import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

import { newId } from '@hone/database';
import { MIB } from '@hone/platform';

import { createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const LIMIT = 12 * MIB;
/** For millions of values on a machine that has other things to do. */
const LONG_MS = 240_000;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Bodies that are read in another thread; those of the largest size allowed are a matter of the benches. */
describe('a large log', () => {
  let training: TrainingApp;
  let model: string;
  beforeAll(async () => {
    training = await startTrainingApp({ largeBodiesAtOnce: 2 }, { largeBodyLimitBytes: LIMIT });
    model = await createModel(training.caller);
  });
  afterAll(() => training.close());

  const path = () => `${MODELS}/${model}/log`;
  const aTrajectory = (reward: number) => ({
    messages_and_choices: [{ role: 'user', content: 'x'.repeat(2_000) }],
    reward,
    metrics: { words: reward },
  });
  const aLog = (trajectories: number) =>
    JSON.stringify({
      split: 'val',
      trajectory_groups: [{ trajectories: Array.from({ length: trajectories }, (_, n) => aTrajectory(n)) }],
    });
  /** Exactly so long. */
  const padded = (bytes: number) => Buffer.from(`{"split":"s","trajectory_groups":[]${' '.repeat(bytes - 36)}}`);

  it('is stored whole and counted', async () => {
    const body = aLog(4_000);
    expect(body.length).toBeGreaterThan(7 * MIB);
    const answers = await Promise.all([1, 2, 3, 4].map(() => training.caller.post(path(), body)));
    for (const { status, json } of answers) {
      expect([status, json()]).toEqual([200, { logged: { trajectory_groups: 1, trajectories: 4_000 } }]);
    }
    const rows = await training.sql<{ uri: string; sha256: string }>(
      'SELECT uri, sha256 FROM log_batches WHERE model_id = $1',
      [model],
    );
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      expect(sha256(gunzipSync(await training.store.read(row.uri, row.sha256)))).toBe(sha256(Buffer.from(body)));
    }
    expect(await training.sql('SELECT count(*)::int AS n FROM trajectories WHERE model_id = $1', [model])).toEqual([
      { n: 16_000 },
    ]);
    expect((await training.caller.get(`${MODELS}/${model}`)).json().base_metrics).toMatchObject({
      'val/words': 1_999.5,
    });
  });

  it('can be read trajectory by trajectory', async () => {
    const { status, json } = await training.caller.get(`${MODELS}/${model}/trajectories?limit=2&split=val`);
    expect([status, json().data]).toMatchObject([
      200,
      [
        { index: 0, trajectory: aTrajectory(0) },
        { index: 1, trajectory: aTrajectory(1) },
      ],
    ]);
  });

  it('points at what is wrong far behind', async () => {
    const body = aLog(2_000).replace('"reward":1999', '"reward":"1999"');
    const { status, json } = await training.caller.post(path(), body);
    expect([status, json().detail]).toEqual([
      422,
      [
        {
          loc: ['body', 'trajectory_groups', 0, 'trajectories', 1_999, 'reward'],
          msg: expect.any(String),
          type: 'float_type',
        },
      ],
    ]);
  });

  it('has a limit, to the byte', async () => {
    expect((await training.caller.post(path(), padded(LIMIT))).status).toBe(200);
    const beyond = await training.caller.post(path(), padded(LIMIT + 1));
    expect([beyond.status, beyond.json()]).toEqual([
      413,
      { detail: `The request body is over the limit of ${LIMIT} bytes.`, code: 'limit.body_too_large' },
    ]);
  });

  it('has the same limit when it is packed, and memory for no more', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB), { level: 9 });
    const before = process.memoryUsage().arrayBuffers;
    const { status, json } = await training.caller.post(path(), bomb, { headers: { 'content-encoding': 'gzip' } });
    expect([status, json().code]).toEqual([413, 'limit.body_too_large']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * MIB);
  });

  it('leaves other bodies their own limit', async () => {
    const { status, json } = await training.caller.post(MODELS, padded(MIB + 1));
    expect([status, json().code]).toEqual([413, 'limit.body_too_large']);
  });

  it(
    'of more values than fit into memory is refused',
    async () => {
      const body = `{"split":"s","trajectory_groups":[],"x":[${'[],'.repeat(3_900_000)}`;
      const many = gzipSync(`{"split":"s","trajectory_groups":[],"x":[${'[],'.repeat(6_000_001)}0]}`, { level: 1 });
      const whole = await startTrainingApp();
      try {
        const send = (payload: Buffer) =>
          whole.caller.post(`${MODELS}/${newId()}/log`, payload, { headers: { 'content-encoding': 'gzip' } });
        const tooMany = await send(many);
        expect([tooMany.status, tooMany.json().detail]).toEqual([
          422,
          [{ loc: ['body'], msg: 'JSON should have fewer arrays and objects', type: 'too_many' }],
        ]);
        expect((await send(gzipSync(body, { level: 1 }))).json().detail[0].type).toBe('json_invalid');
      } finally {
        await whole.close();
      }
    },
    LONG_MS,
  );
});
