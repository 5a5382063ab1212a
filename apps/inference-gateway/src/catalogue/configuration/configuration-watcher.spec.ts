import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Environment } from '@hone/platform';
import { until } from '@hone/testing/until';

import { ConfigurationWatcher } from './configuration-watcher.js';
import { UpstreamsFile } from './upstreams.config.js';

describe('watching the upstreams file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-upstreams-'));
  const path = join(folder, 'up.yaml');
  let seen: (number | string)[];
  let watcher: ConfigurationWatcher;
  afterEach(() => watcher.stop());
  afterAll(() => rmSync(folder, { recursive: true }));

  const start = (lookMs: number) => {
    seen = [];
    writeFileSync(path, 'drain_ms: 1\n');
    const file = new UpstreamsFile(new Environment({ HONE_UPSTREAMS: path }));
    file.read();
    watcher = new ConfigurationWatcher(
      file,
      {
        onConfiguration: ({ drainMs }) => void seen.push(drainMs),
        onRefused: ({ message }) => void seen.push(message),
      },
      lookMs,
    );
    watcher.start();
  };
  const untilSeen = (count: number) => until(() => seen.length >= count, 'what the watcher tells');

  it('reads a file that was replaced, once', async () => {
    start(10);
    writeFileSync(`${path}.new`, 'drain_ms: 22\n');
    renameSync(`${path}.new`, path);
    await untilSeen(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toEqual([22]);
  });

  it('tells once that the file has gone', async () => {
    start(10);
    rmSync(path);
    await untilSeen(1);
    expect(seen).toEqual([`${path}: cannot be read: ENOENT.`]);
  });

  it('reads it on SIGHUP, and tells why a wrong one is refused', () => {
    start(1_000_000);
    writeFileSync(path, 'drain: 3\n');
    process.emit('SIGHUP');
    expect(seen).toEqual([expect.stringContaining('up.yaml:1: drain: Unknown key')]);
  });

  it('does nothing after it was stopped', () => {
    start(1_000_000);
    watcher.stop();
    process.emit('SIGHUP');
    expect(seen).toEqual([]);
  });
});

describe('the upstreams file', () => {
  it('is the embedded engine alone when no file is named', () => {
    expect(new UpstreamsFile(new Environment({})).read().upstreams).toMatchObject([{ engine: { kind: 'embedded' } }]);
  });
});
