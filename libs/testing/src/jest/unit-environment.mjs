import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

import NodeEnvironment from './node-environment.mjs';

const STARTERS = [
  ...['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'].map((name) => [childProcess, name]),
  [workerThreads, 'Worker'],
];

/** Keeps `*.spec.ts` to what their name says: a spec that starts a process or a thread fails there. */
export default class UnitEnvironment extends NodeEnvironment {
  #originals;

  async setup() {
    await super.setup();
    this.#originals = STARTERS.map(([module, name]) => [module, name, module[name]]);
    for (const [module, name] of STARTERS) module[name] = refuse(name);
    syncBuiltinESMExports();
  }

  async teardown() {
    for (const [module, name, original] of this.#originals) module[name] = original;
    syncBuiltinESMExports();
    await super.teardown();
  }
}

function refuse(name) {
  return function starts() {
    throw new Error(`${name}: a *.spec.ts starts no process and no thread; with one it is an *.e2e-spec.ts.`);
  };
}
