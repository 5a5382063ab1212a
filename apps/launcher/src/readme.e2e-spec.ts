import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '@hone/database';

const ROOT = join(import.meta.dirname, '../../..');

/** The shell blocks of the README's tour, as one script against another port. */
async function tour(port: number): Promise<string> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  return ['set -eu -o pipefail', ...blocks].join('\n').replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
}

describe('the README', () => {
  it('has a tour that works when pasted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hone-tour-'));
    const port = await freePort();
    const env = { PATH: process.env['PATH'], HONE_PORT: String(port), HONE_DATA_DIR: join(folder, '.hone') };
    const hone = spawn(process.execPath, [join(ROOT, 'apps/launcher/start.mjs')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => hone.once('exit', resolve));
    try {
      await new Promise<void>((resolve, reject) => {
        hone.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('Hone is ready on') && resolve());
        void ended.then((code) => reject(new Error(`the launcher ended with ${code}`)));
      });
      const { stdout } = await promisify(execFile)('bash', ['-c', await tour(port)], {
        cwd: folder,
        env: { PATH: process.env['PATH'] },
      });
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(answers).toHaveLength(19);
      expect(answers[3]).toEqual({
        result: [{ id: 'f1', 'payload.score': 0, trace_ref: 'hone:///local/demo/call/c1' }],
        total_count: 1,
      });
      expect(answers[6]).toMatchObject({ objs: [{ object_id: 'prompt', version_index: 1, is_latest: 1 }] });
      expect(answers[12]).toMatchObject({ item: { call_id: 'c1', annotation_state: 'completed' } });
      expect(answers[14]).toMatchObject({ choices: [{ message: { content: 'cat' }, finish_reason: 'stop' }] });
      expect(answers[18]).toMatchObject({
        label: 'ada laptop',
        scopes: ['trace'],
        key: expect.stringMatching(/^hone_/),
      });
    } finally {
      hone.kill('SIGTERM');
      expect(await ended).toBe(0);
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
