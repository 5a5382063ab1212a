import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const { TARGETS } = (await import(join(REPOSITORY, '.ci/targets.mjs'))) as {
  TARGETS: Record<string, { script: string; inputs: readonly string[] }>;
};
const NAMES = Object.keys(TARGETS);
const scriptOf = (name: string) => TARGETS[name]?.script ?? '';
const GREEN = "echo '2 passed, 0 failed'";
/** Programs that targets look for on the machine, and the answer that lets each of them run. */
const PROGRAMS = { chromium: '', 'g++': '', ldconfig: 'echo libnuma.so.1', 'apt-get': 'exit 1' };
const PROBES = ['.ci/python/find-python.mjs', '.ci/models/model-file.mjs', '.ci/browser/find-chromium.mjs'];

/** `.ci/run.mjs` itself, in a repository whose scripts say what a test wants them to. */
describe('.ci/run', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-ci-run-'));
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    for (const name of ['run.mjs', 'targets.mjs']) {
      mkdirSync(join(folder, '.ci'), { recursive: true });
      cpSync(join(REPOSITORY, '.ci', name), join(folder, '.ci', name));
    }
    for (const path of [...PROBES, '.ci/engines/has-room.mjs', '.ci/check.mjs', 'apps/trace/src/main.ts'])
      write(path, '');
    write('bench/package.json', '{"name":"bench","version":"0.0.0"}');
    const lock = { name: 'bench', version: '0.0.0', lockfileVersion: 3, packages: { '': {} } };
    write('bench/package-lock.json', JSON.stringify(lock));
    for (const [name, does] of Object.entries(PROGRAMS)) {
      write(`bin/${name}`, `#!/bin/sh\n${does}\n`);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  /** @param changed scripts of package.json that are not green */
  function run(args: readonly string[], changed: Record<string, string> = {}, variables: Record<string, string> = {}) {
    const green = Object.fromEntries(['test', ...NAMES.map(scriptOf)].map((script) => [script, GREEN]));
    write('package.json', JSON.stringify({ scripts: { build: 'true', ...green, ...changed } }));
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, ...variables };
    const options = { cwd: folder, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/run.mjs', ...args], options);
    return { status, stderr, lines: stdout.trim().split('\n') };
  }
  const verified = () => JSON.parse(readFileSync(join(folder, '.ci/verified.json'), 'utf8')) as Record<string, string>;

  it('runs everything, adds up the counts, and records each target', () => {
    const { status, lines } = run([]);
    expect(lines.at(-1)).toBe(`${2 * (NAMES.length + 1)} passed, 0 failed`);
    expect(status).toBe(0);
    expect(Object.keys(verified())).toEqual([...NAMES].sort());
  });

  it('leaves out what was green with the same inputs, and says so with their hash', () => {
    const { status, lines } = run([]);
    expect(lines.at(-1)).toBe('2 passed, 0 failed');
    expect(status).toBe(0);
    for (const name of NAMES) {
      const line = `left out, as its inputs are those of its last green run (sha256 ${verified()[name]}): npm run ${scriptOf(name)}`;
      expect(lines).toContain(line);
    }
  });

  it('runs a target again when one of its inputs has changed', () => {
    write('apps/trace/src/main.ts', 'changed');
    const { lines } = run([]);
    expect(lines).toContain('== npm run test:nodes');
    expect(lines).toContain('== npm run test:engines');
    expect(lines).not.toContain('== npm run test:lint');
  });

  it('runs every target where all are asked for', () => {
    expect(run(['all']).lines.at(-1)).toBe(`${2 * (NAMES.length + 1)} passed, 0 failed`);
  });

  it('leaves out what would not end in time, by how long npm test took', () => {
    const { status, lines } = run(['all'], {}, { HONE_CI_STARTED_S: '5400' });
    expect(lines.at(-1)).toBe('2 passed, 0 failed');
    expect(status).toBe(0);
    for (const name of NAMES) {
      expect(lines).toContain(`left out, as it needs a faster machine, or more time: npm run ${scriptOf(name)}`);
    }
  });

  describe.each([
    ['a test that failed', "echo '1 passed, 1 failed'; exit 1", 1],
    ['a test that failed, though the exit status is 0', "echo '1 passed, 1 failed'", 1],
    ['an exit status other than 0', `${GREEN}; exit 3`, 0],
    ['no counts at all', 'true', 1],
  ])('fails for %s', (_what, script, failures) => {
    it.each(NAMES)('in the target %s, and records nothing of it', (name) => {
      rmSync(join(folder, '.ci/verified.json'), { force: true });
      const { status, lines } = run(['only', name], { [scriptOf(name)]: script });
      expect(lines.at(-1)).toMatch(new RegExp(`^\\d+ passed, ${failures} failed$`));
      expect(status).toBe(1);
      expect(existsSync(join(folder, '.ci/verified.json'))).toBe(false);
    });

    it('in npm test', () => {
      const { status, lines } = run([], { test: script });
      expect(lines.at(-1)).toMatch(new RegExp(`^\\d+ passed, ${failures} failed$`));
      expect(status).toBe(1);
    });
  });

  it('fails for a target that there is not, and names those there are', () => {
    const { status, stderr } = run(['only', 'lint,brwser']);
    expect(stderr).toContain(`No target is called 'brwser': expected ${NAMES.join(', ')}.`);
    expect(status).toBe(1);
  });

  it.each([
    ['npm run build', { build: 'exit 1' }],
    ['npm test', { test: 'exit 1' }],
  ])('fails when %s fails, and names it', (step, changed) => {
    const { status, stderr } = run([], changed);
    expect(status).toBe(1);
    expect(stderr).toContain(`failed: ${step}`);
  });

  it('lists the tests that failed, with what was wrong, at once and once more at the end', () => {
    const lines = ['FAIL a.spec.ts', '  ● Suite › adds', '', '    Expected: 3', '    Received: 4', ''];
    const wrong = [...lines.map((line) => `@hone/trace: ${line}`), '1 passed, 1 failed'].join('\\n');
    const { stderr } = run(['only', 'lint'], { 'test:lint': `printf '${wrong}\\n'; exit 1` });
    expect(stderr.split('failed: npm run test:lint')).toHaveLength(3);
    const end = stderr.slice(stderr.lastIndexOf('failed: npm run test:lint'));
    expect(end).toContain('FAIL a.spec.ts');
    expect(end).toMatch(/● Suite › adds\s+Expected: 3\s+Received: 4/);
  });
});
