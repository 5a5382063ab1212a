import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { transformFile } from '@swc/core';

import { Journal } from './journal.js';

const SOURCES = import.meta.dirname;
const PACKAGES = join(SOURCES, '../../../../../node_modules');
const KILLS = 8;

describe('a killed journal', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'journal-kill-'));
    const sources = (await readdir(SOURCES)).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
    for (const name of sources) {
      const { code } = await transformFile(join(SOURCES, name), {
        swcrc: false, // it leaves fixtures out
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      });
      await writeFile(join(dir, name.replace('.ts', '.js')), code);
    }
    await symlink(PACKAGES, join(dir, 'node_modules'));
    await writeFile(join(dir, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rm(dir, { recursive: true }));

  /** Runs the appending process for a while; returns the acknowledged records. */
  async function appendUntilKilled(folder: string, ms: number): Promise<number[]> {
    const child = spawn(process.execPath, [join(dir, 'append-records.fixture.js'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill('SIGKILL');
    await once(child, 'close');
    return output.split('\n').slice(0, -1).map(Number);
  }

  it('delivers every acknowledged record once, whenever it was killed', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const folder = join(dir, `kill-${kill}`);
      const acknowledged = await appendUntilKilled(folder, Math.random() * 80);
      const journal = await Journal.open({ folder, sync: 'write' });
      const replayed: number[] = [];
      for (let batch; (batch = await journal.read(1_000)); await journal.commit(batch)) {
        replayed.push(...batch.records.texts().map((payload) => JSON.parse(payload).n as number));
      }
      await journal.close();
      const seen = new Set(replayed);
      expect(seen.size).toBe(replayed.length);
      expect(acknowledged.filter((n) => !seen.has(n))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(0);
    }
  });
});
