import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '../../dist/bin/engine.js');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const engine = (...args: string[]): Promise<Outcome> => run(args, {});

function run(args: string[], env: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

describe('npm run engine', () => {
  it('chats with the bundled model', async () => {
    expect(await engine('chat', 'repeat: cat')).toEqual({ code: 0, stdout: 'cat\n', stderr: '' });
  });

  it('describes the bundled model', async () => {
    const { stdout } = await engine('info');
    expect(stdout).toContain('parameters       918656\n');
    expect(stdout).toContain('context          1024 tokens\n');
  });

  it('says which model it cannot find', async () => {
    const { code, stderr } = await engine('chat', 'hello', '--model', 'nobody/has-this');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^engine\.base_model_unsupported: .*nobody\/has-this/);
  });

  it('does not let ONNX Runtime report to its maker, nor keep files for that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hone-engine-'));
    expect(await run(['chat', 'repeat: cat'], { TMPDIR: folder })).toMatchObject({ code: 0, stdout: 'cat\n' });
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['nothing', []],
    ['an unknown command', ['sing']],
    ['an unknown option', ['chat', 'x', '--loud']],
  ])('explains itself when it is given %s', async (_name, args) => {
    const { code, stderr } = await engine(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('Usage:');
  });
});
