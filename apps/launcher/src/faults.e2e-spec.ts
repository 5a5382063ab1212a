import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { jest } from '@jest/globals';

import { REPOSITORY } from './testing/shell-blocks.js';

const FAULTS = 4;
/**
 * Half a minute under load, a fault every two seconds, the same ones each time, as far as time allows; longer on a machine
 * on which so many faults, or a write of each kind, take longer.
 */
const SHORT = ['--minutes', '0.5', '--every', '2', '--seed', '7', '--faults', `${FAULTS}`, '--json'];

/** What was there to be lost. */
const OFTEN = [
  'feedback',
  'feedback batch',
  'object version',
  'call',
  'api key',
  'chat',
  'chat stream',
  'training job',
];

/** The start, the faults, and then all jobs are waited for: a busy machine takes minutes. */
jest.setTimeout(1_800_000);

interface Result {
  faults: number;
  rows: { what: string; acknowledged: number; missing: number; doubled: number }[];
}

describe('npm run faults, the short form', () => {
  let folder: string;
  let run: ChildProcess;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-faults-spec-'));
  });
  afterAll(async () => {
    // Only if the spec was given up: it takes everything that it has started along.
    if (run.exitCode === null && run.kill('SIGTERM')) await once(run, 'close');
    rmSync(folder, { recursive: true, force: true });
  });

  it('loses nothing that was acknowledged, doubles nothing, ends every job, and leaves nothing behind', async () => {
    const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder };
    run = spawn(process.execPath, [join(REPOSITORY, 'bench/faults/run.mjs'), ...SHORT], { env: environment });
    const [output, errors] = [read(run.stdout), read(run.stderr)];
    const [code] = (await once(run, 'close')) as [number | null];
    if (!output().startsWith('{')) throw new Error(`It ended with ${code}:\n${errors().slice(-5_000)}`);
    const { faults, rows } = JSON.parse(output()) as Result;
    expect(rows.filter(({ missing, doubled }) => missing > 0 || doubled > 0)).toEqual([]);
    const seen = rows.filter(({ acknowledged }) => acknowledged > 0).map(({ what }) => what);
    expect(seen).toEqual(expect.arrayContaining(OFTEN));
    expect(faults).toBeGreaterThanOrEqual(FAULTS);
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});

function read(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (more: string) => (text += more));
  return () => text;
}
