import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Verified {
  has(name: string, hash: string): boolean;
  add(name: string, hash: string): void;
}
const REPOSITORY = join(import.meta.dirname, '../../../..');
const { hashOf, TARGETS, VerifiedTargets } = (await import(join(REPOSITORY, '.ci/targets.mjs'))) as {
  hashOf: (pathspecs: readonly string[], folder: string) => string;
  TARGETS: Record<string, { script: string; inputs: readonly string[] }>;
  VerifiedTargets: new (file: string) => Verified;
};

/** Target -> a file that it must run for when it changes, and one that it may not run for. */
const FILES: [name: string, inputs: string[], others: string[]][] = [
  ['lint', ['eslint.config.mjs', 'apps/trace/package.json', 'package-lock.json'], ['apps/trace/src/main.ts']],
  [
    'nodes',
    ['apps/trace/src/main.ts', 'package-lock.json', '.ci/nodes/package-lock.json'],
    ['libs/auth/src/x.spec.ts'],
  ],
  [
    'python',
    ['libs/calls/src/index.ts', '.ci/python/requirements.txt'],
    ['apps/console/src/main.tsx', 'docs/README.md'],
  ],
  ['models', ['libs/engine/src/oracle/x.e2e-spec.ts', '.ci/models/run.mjs'], ['apps/trace/src/x.e2e-spec.ts']],
  ['browser', ['apps/console/src/x.browser-spec.ts', 'apps/console/src/main.tsx'], ['apps/console/src/x.spec.ts']],
  ['engines', ['libs/tinker/src/x.engines-spec.ts', 'tools/engines/vllm.txt'], ['apps/console/src/main.tsx']],
];

describe('the inputs of a target of CI', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-inputs-'));
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    for (const [, inputs, others] of FILES) for (const path of [...inputs, ...others]) write(path, 'before');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const hash = (name: string) => hashOf(TARGETS[name]?.inputs ?? [], folder);

  it('are tested here for every target', () => {
    expect(FILES.map(([name]) => name).sort()).toEqual(Object.keys(TARGETS).sort());
  });

  describe.each(FILES)('%s', (name, inputs, others) => {
    it.each(inputs)('have another hash when %s changes', (path) => {
      const before = hash(name);
      write(path, 'after');
      expect(hash(name)).not.toBe(before);
      write(path, 'before');
      expect(hash(name)).toBe(before);
    });

    it.each(others)('do not hold %s', (path) => {
      const before = hash(name);
      write(path, 'after');
      expect(hash(name)).toBe(before);
      write(path, 'before');
    });
  });

  it('are missing where no file is selected', () => {
    expect(() => hashOf(['nothing'], folder)).toThrow('No file is selected by nothing');
  });

  it('are recorded by their hash', () => {
    const file = join(folder, 'verified.json');
    new VerifiedTargets(file).add('browser', 'h1');
    expect(new VerifiedTargets(file).has('browser', 'h1')).toBe(true);
    expect(new VerifiedTargets(file).has('browser', 'h2')).toBe(false);
    expect(new VerifiedTargets(file).has('nodes', 'h1')).toBe(false);
  });
});
