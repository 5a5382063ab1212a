import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../../dist/index.js');

/** Writes without end, and says when the first bytes are written. */
const WRITER = {
  file: `
    async function* content() {
      yield Buffer.alloc(1_000_000);
      console.log('writing');
      for (;;) { await new Promise(setImmediate); yield Buffer.alloc(1_000); }
    }
    await store.put('models/m', content());`,
  folder: `
    const { writeFile } = await import('node:fs/promises');
    const folder = await store.createFolder();
    await writeFile(folder.path + '/a', Buffer.alloc(1_000_000));
    console.log('writing');
    for (;;) await writeFile(folder.path + '/b', Buffer.alloc(1_000));`,
};

describe('a writer that is killed', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'artifacts-kill-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it.each(['file', 'folder'] as const)('leaves a %s only under tmp', async (kind) => {
    const script = `import { openArtifactStore } from ${JSON.stringify(BUILT)};
      const store = openArtifactStore(${JSON.stringify(dir)});${WRITER[kind]}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await readdir(join(dir, 'artifacts'))).toEqual(['tmp']);
    expect(await readdir(join(dir, 'artifacts/tmp'))).toHaveLength(1);
  });
});
