/**
 * The targets of `.ci/run` that take minutes and change seldom. Each names its inputs, as git pathspecs: when all files
 * that they select are those of the last green run, the everyday run leaves the target out. `.ci/verified.json` is the
 * record of these runs: target -> hash of its inputs.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const without = (...paths) => paths.map((path) => `:(exclude)${path}`);
/** Hone as users run it: its sources, what they are built with, and what they load. */
const HONE = [
  ...[
    'apps',
    'libs',
    'models',
    'prisma',
    'tools/bundle',
    'package.json',
    'package-lock.json',
    'nx.json',
    '.swcrc',
    'tsconfig.base.json',
  ],
  ...without('*.md', 'apps/launcher/upgrade/2*', 'libs/testing/src/lint'),
];
const RUNNING_HONE = '.ci/running-hone.mjs';
/** Specs that are part of `npm test`. */
const TEST_SPECS = ['*.spec.ts', '*.e2e-spec.ts'];

/** Minutes of `npm test` on the machine of the targets' `minutes`: what another one takes is estimated by both. */
export const TEST_MINUTES = 22;
/** Name -> its script, how long it takes, its inputs, and what it needs beside Node.js. */
export const TARGETS = {
  lint: {
    script: 'test:lint',
    minutes: 2,
    inputs: [
      ...['eslint.config.mjs', 'eslint.types.config.mjs', 'tsconfig*.json', '.ci/imports', 'libs/testing/src/lint'],
      ...['.ci/run.mjs', '.ci/targets.mjs'],
      ...[
        'package.json',
        'package-lock.json',
        'apps/*/package.json',
        'libs/*/package.json',
        'jest.preset.mjs',
        'tools/jest',
      ],
      // The words of training: each part that tells them apart must know them all.
      ...['libs/contracts/src', 'libs/engine/src', 'libs/training-jobs/src', 'libs/testing/src/engine-conformance'],
      ...['apps/training/src', 'apps/trainer/src', 'apps/tour/src'],
      ...without(...TEST_SPECS, '*.engines-spec.ts'),
    ],
  },
  nodes: {
    script: 'test:nodes',
    minutes: 3,
    inputs: [...HONE, '.ci/nodes', RUNNING_HONE, ...without('*spec.ts', '*.fixture.ts')],
    needs: 'Linux on x64',
    isPossible: () => process.platform === 'linux' && process.arch === 'x64',
  },
  python: {
    script: 'test:python',
    minutes: 14,
    inputs: [
      ...HONE,
      '.ci/python',
      RUNNING_HONE,
      // Figures are compared by a fixture of `libs/statistics`.
      ...without('apps/console', 'libs/testing', '*spec.ts', 'apps/*.fixture.ts'),
    ],
    needs: 'Python 3.12',
    isPossible: () => succeeds('.ci/python/find-python.mjs'),
  },
  models: {
    script: 'test:models',
    minutes: 4,
    // It runs specs of the engine, too.
    inputs: [
      ...HONE,
      '.ci/models',
      RUNNING_HONE,
      'jest.preset.mjs',
      ...without('apps/console', 'apps/*spec.ts', '*.spec.ts'),
    ],
    needs: 'Python with pip',
    isPossible: () => succeeds('.ci/models/model-file.mjs'),
  },
  browser: {
    script: 'test:browser',
    minutes: 21,
    inputs: [
      ...[...HONE, '.ci/browser', RUNNING_HONE, 'jest.preset.mjs', 'tools/jest/browser.mjs'],
      ...without(...TEST_SPECS, '*.engines-spec.ts'),
    ],
    needs: 'Chromium',
    isPossible: () => succeeds('.ci/browser/find-chromium.mjs'),
    packages: ['chromium'],
    isInstalled: () => finds('chromium'),
  },
  engines: {
    script: 'test:engines',
    minutes: 21,
    inputs: [
      ...[...HONE, '.ci/engines', '.ci/python/find-python.mjs', 'tools/engines', 'jest.preset.mjs'],
      ...['tools/jest/engines.mjs', ...without(...TEST_SPECS, 'apps/console')],
    ],
    needs: 'Python 3.12 and 20 GB of disk',
    isPossible: () => succeeds('.ci/engines/has-room.mjs'),
    // vLLM links libnuma, and compiles kernels when it first answers.
    packages: ['g++', 'libnuma1'],
    isInstalled: () => finds('g++') && run('sh', ['-c', 'ldconfig -p | grep -qF libnuma.so.1']),
  },
};

/**
 * SHA-256 of the paths and contents of all files that the pathspecs select, as they are in the working tree: tracked ones,
 * and untracked ones that git does not ignore.
 */
export function hashOf(pathspecs, folder = process.cwd()) {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...pathspecs];
  const output = execFileSync('git', list, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const paths = [...new Set(output.split('\0'))].filter((path) => path !== '' && existsSync(join(folder, path))).sort();
  if (paths.length === 0) throw new Error(`No file is selected by ${pathspecs.join(' ')}`);
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
    hash.update(`${path}\0${content}\n`);
  }
  return hash.digest('hex');
}

/** The record of green runs in `file`. */
export class VerifiedTargets {
  #file;
  #hashes;

  constructor(file) {
    this.#file = file;
    this.#hashes = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  }

  /** The target was green with these inputs. */
  has(name, hash) {
    return this.#hashes[name] === hash;
  }

  /** Records a green run. */
  add(name, hash) {
    this.#hashes[name] = hash;
    const sorted = Object.entries(this.#hashes).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(this.#file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}

const run = (program, args) => {
  try {
    execFileSync(program, args, { cwd: join(import.meta.dirname, '..'), stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const succeeds = (script) => run(process.execPath, [script]);
const finds = (program) => run('sh', ['-c', `command -v ${program}`]);
