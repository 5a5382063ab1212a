import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { REPOSITORY } from './paths.mjs';
import { stopProcess } from './service.mjs';

/**
 * Runs benches one after the other, each as a process of its own: none leaves threads and garbage to the next, and one
 * that fails is not the end of the others.
 *
 * @param {string[]} names
 * @param {string[]} args further arguments of each
 * @returns {Promise<boolean>} whether all went well
 */
export async function runAll(names, args, { report, cleanup }) {
  let isFine = true;
  for (const name of names) {
    console.error(`\n== ${name}`);
    const { code, rows } = await runOne([name, ...args, '--json'], cleanup);
    if (cleanup.isStopping) await new Promise(() => undefined); // the signal's handler cleans up and exits
    report.section(name, rows ?? [{ measure: name, value: null, unit: '', note: 'failed, see above' }]);
    isFine &&= code === 0 && rows !== undefined;
  }
  return isFine;
}

/** `rows` is absent when it ended without a result. */
async function runOne(args, cleanup) {
  const run = fileURLToPath(new URL('bench/run.mjs', REPOSITORY));
  const child = spawn(process.execPath, [run, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = cleanup.add(() => stopProcess(child));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  await stop();
  return { code, rows: rowsIn(output) };
}

function rowsIn(output) {
  try {
    return JSON.parse(output).rows;
  } catch {
    return undefined;
  }
}
