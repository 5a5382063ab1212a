import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { exportGguf } from '../gguf/index.js';
import { openBaseModel } from '../model/index.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';

const SCRIPT = join(import.meta.dirname, '../../dist/bin/models.js');
const ENGINE = join(import.meta.dirname, '../../dist/bin/engine.js');
const HONE_TINY = join(import.meta.dirname, '../../../../models/hone-tiny');

describe('npm run models', () => {
  const folder = useTempFolder();
  const modelsDir = () => join(folder(), 'models');
  const models = (...args: string[]) => run(SCRIPT, args, modelsDir());

  async function aGguf(name = 'My Model.gguf'): Promise<string> {
    const path = join(folder(), name);
    const model = await openBaseModel(HONE_TINY);
    await exportGguf(model, await model.loadWeights(), path);
    return path;
  }

  it('adds a GGUF file under its name, which then answers, and removes it', async () => {
    const added = await models('add', await aGguf());
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^My-Model: 1 million parameters, sha256 \w{64}/),
    });
    expect(await models('list')).toEqual({ code: 0, stdout: 'My-Model\n', stderr: '' });
    expect((await run(ENGINE, ['chat', 'repeat: cat', '--model', 'My-Model'], modelsDir())).stdout).toBe('cat\n');
    // The runtime's copy of the weights is gone.
    expect((await readdir(folder())).sort()).toEqual(['My Model.gguf', 'models']);
    expect(await models('remove', 'My-Model')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readdir(modelsDir())).toEqual([]);
  });

  it('adds a folder under a name of its own, once', async () => {
    expect((await models('add', HONE_TINY, '--name', 'team/tiny')).code).toBe(0);
    expect((await models('list')).stdout).toBe('team/tiny\n');
    const again = await models('add', HONE_TINY, '--name', 'team/tiny');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^engine\.model_exists: /) });
  });

  it('leaves nothing of a file that is cut short, and says where', async () => {
    const path = await aGguf('cut.gguf');
    await writeFile(path, (await readFile(path)).subarray(0, 100_000));
    const { code, stderr } = await models('add', path);
    expect([code, stderr]).toEqual([1, expect.stringContaining('cut.gguf')]);
    expect(await readdir(modelsDir())).toEqual([]);
  });

  it.each(['../outside', '/etc/x', '.hidden', 'a/b/c', ''])('does not take %j as a name', async (name) => {
    expect((await models('add', HONE_TINY, '--name', name)).code).toBe(1);
    expect((await models('remove', `x/../../${name}`)).code).toBe(1);
    expect(await readdir(folder())).not.toContain('outside');
  });

  it.each([[[]], [['add']], [['sing', 'x']], [['list', '--loud']]])(
    'explains itself when it is given %j',
    async (args) => {
      const { code, stderr } = await models(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Usage:')]);
    },
  );
});

function run(
  script: string,
  args: string[],
  modelsDir: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { HONE_MODELS_DIR: modelsDir, TMPDIR: modelsDir.replace(/models$/, '') };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}
