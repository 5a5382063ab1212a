import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  basic,
  createTestDatabase,
  createTestUser,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
} from '@hone/testing';

const PROGRAM = join(import.meta.dirname, 'weave-program.fixture.mjs');
const GUIDE = join(import.meta.dirname, '../../../../../docs/guides/weave-npm.md');

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

describe('the npm package weave, unmodified', () => {
  let database: TestDatabase;
  let user: TestUser;
  let trace: ServiceProcess;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    user = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    trace = await startService('trace', { DATABASE_URL: database.url });
    folder = await mkdtemp(join(tmpdir(), 'hone-weave-'));
  });
  afterAll(async () => {
    await trace.stop('SIGKILL');
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** Runs a program as an application would: its own process, nothing but the address and the key. */
  const run = (program: string): Promise<Run> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        WANDB_API_KEY: user.key,
        WF_TRACE_SERVER_URL: `${trace.url}/compat/weave`,
        CI: '1',
      };
      const child = spawn(process.execPath, [program], { cwd: folder, env });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });

  const canonical = async (path: string, body: object): Promise<string> => {
    const response = await fetch(trace.url + path, {
      method: 'POST',
      headers: { authorization: basic('api', user.key), 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: 'acme/npm', ...body }),
    });
    expect(response.status).toBe(200);
    return response.text();
  };

  it('traces, publishes, evaluates and judges', async () => {
    const { code, stdout, stderr } = await run(PROGRAM);
    expect([code, stderr]).toEqual([0, '']);
    await expect(readFile(join(folder, 'weaveErrors.log'))).rejects.toThrow(); // where it writes what was refused
    const seen = JSON.parse(/^SEEN (.*)$/m.exec(stdout)?.[1] ?? '') as Record<string, unknown>;
    expect(seen).toMatchObject({
      ...{
        sum: 62,
        error: 'no luck',
        chunks: ['a', 'b'],
        invoked: 5,
        renamed: 'renamed',
        feedback: expect.any(String),
      },
      published: { weights: [1, 2.5], note: 'é', run_id: 'free' },
      nested: { settings: expect.stringMatching(/^weave:\/\/\/acme\/npm\/object\/settings:\w{43}$/) },
      rows: [
        { question: '2+2', expected: '4' },
        { question: '3+3', expected: '6' },
      ],
      evaluation: { model_success: { true_count: 2 }, isRight: { true_count: 1, true_fraction: 0.5 } },
    });
    expect(
      (seen['calls'] as { op_name: string; status: string }[]).map(({ op_name, status }) => [nameOf(op_name), status]),
    ).toEqual([
      ...[
        ['outer', 'success'],
        ['failing', 'error'],
        ['streaming', 'success'],
        ['draw', 'success'],
      ],
      ...[
        ['Evaluation.evaluate', 'success'],
        ['outer', 'success'],
        ['Evaluation.evaluate', 'success'],
      ],
    ]);
  });

  it('left records with canonical names, and no other', async () => {
    const calls = lines(await canonical('/calls/stream_query', {}));
    expect(calls).toHaveLength(21);
    expect(calls[0]).toMatchObject({
      op_name: expect.stringMatching(/^hone:\/\/\/acme\/npm\/op\/outer:\w{43}$/),
      ...{ inputs: { arg0: 20 }, output: 62, parent_id: null, svc_user_id: user.id, run_id: null },
      attributes: { tenant: 't1', weave: { source: 'js-sdk' } },
      summary: { hone: { status: 'success', trace_name: 'outer' } },
    });
    expect(calls.filter(({ parent_id }) => parent_id === calls[0]?.['id'])).toHaveLength(2);
    const scored = calls.find(({ display_name }) => display_name === 'renamed') as Record<string, unknown>;
    const feedback = await canonical('/feedback/query', {});
    expect(JSON.parse(feedback)).toMatchObject({
      result: [
        {
          feedback_type: 'hone.runnable.exactness',
          trace_ref: `hone:///acme/npm/call/${String(scored['id'])}`,
          runnable_ref: expect.stringMatching(/^hone:\/\/\/acme\/npm\/object\/exactness:/),
          payload: { output: { right: true } },
        },
        { feedback_type: 'hone.runnable.right', payload: { output: true } },
      ],
    });
    const objects = await canonical('/objs/query', {});
    for (const text of [feedback, objects, JSON.stringify(calls)])
      expect(text).not.toMatch(/weave:\/\/\/|weave_ref|wb_|wandb/);
    const evaluation = (JSON.parse(objects) as { objs: { object_id: string; val: unknown }[] }).objs.find(
      ({ object_id }) => object_id === 'smoke',
    );
    expect(evaluation?.val).toMatchObject({
      _type: 'Evaluation',
      dataset: expect.stringMatching(/^hone:\/\/\/acme\/npm\/object\/sums:/),
      scorers: [expect.stringMatching(/^hone:\/\/\/acme\/npm\/op\/isRight:/)],
    });
  });

  it('does what the guide shows', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const program = /```js\n([^]*?)```/.exec(guide)?.[1] as string;
    const variables = [...guide.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expect(variables).toEqual([
      ['WANDB_API_KEY', '"$HONE_KEY"'],
      ['WF_TRACE_SERVER_URL', 'http://127.0.0.1:8080/compat/weave'],
    ]);
    // From a folder in which the package can be found.
    const path = join(import.meta.dirname, 'weave-guide.fixture.mjs');
    await writeFile(path, program.replaceAll('local/demo', 'acme/guide'));
    const { code, stdout, stderr } = await run(path).finally(() => rm(path));
    expect([code, stderr]).toEqual([0, '']);
    const shown = /It prints:\n\n```text\n([^]*?)```/.exec(guide)?.[1]?.replaceAll('local/demo', 'acme/guide');
    expect(stdout).toBe(shown);
  });
});

const nameOf = (ref: string): string | undefined => /\/op\/([^:]+):/.exec(ref)?.[1];
const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
