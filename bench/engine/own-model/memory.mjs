import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { ENGINE_ENVIRONMENT, LEAN_FLAGS } from '../../../apps/launcher/dist/processes/lean-process.js';
import { residentMiB } from '../../harness/processes.mjs';
import { stopProcess } from '../../harness/service.mjs';
import { adapterCheckpoints } from '../adapter-checkpoints.mjs';
import { ownModel } from './model.mjs';

const SCRIPT = fileURLToPath(new URL('serve-own.mjs', import.meta.url));
const CHECKPOINTS = 50;
/** PEFT's default for Llama. */
const TARGETS = ['q_proj', 'v_proj'];
/** So that checkpoints are further apart than rounding moves one. */
const STRENGTH = 0.1;
const MAX_LOAD_MS = 2_000;
const MAX_BESIDE_FILE_MIB = 150;
const MAX_OF_CHECKPOINTS_MIB = 200;
const MAX_PER_ADAPTER = 2;

/** Time and resident memory of the engine alone, in a process with the memory settings of `npm start`. */
export async function measureOwnMemory(context) {
  const { options, progress } = context;
  progress.step('own model: memory');
  const { base, directory, file } = await ownModel(context);
  const checkpoints = await adapterCheckpoints(context, options.quick ? 10 : CHECKPOINTS, base, TARGETS, STRENGTH);
  const child = spawn(process.execPath, [...LEAN_FLAGS, SCRIPT], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...ENGINE_ENVIRONMENT },
  });
  const close = context.cleanup.add(() => stopProcess(child));
  child.stdin.end(JSON.stringify({ directory, checkpoints }));
  const stages = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const { name, ms } = JSON.parse(line);
    const [key, ...counts] = name.split(' ');
    stages[key] = { ms, counts: counts.map(Number), mib: residentMiB(child.pid) };
    progress.detail(name);
    child.kill('SIGUSR2');
  }
  await close();
  if (!('compared' in stages)) throw new Error('the serving process ended early, see above');
  const adapterMib = (await stat(join(checkpoints[0].directory, 'adapter_model.safetensors'))).size / 2 ** 20;
  reportAll(context, stages, { fileMib: (await stat(file)).size / 2 ** 20, adapterMib, count: checkpoints.length });
}

function reportAll(
  { report },
  { started, loaded, answered, base, checkpoints, compared },
  { fileMib, adapterMib, count },
) {
  report.add({
    ...{ measure: 'load of a base', value: loaded.ms, unit: 'ms' },
    ...{ target: `<= ${MAX_LOAD_MS} ms`, isMet: loaded.ms <= MAX_LOAD_MS },
  });
  const [afterLoad, afterAnswer] = [loaded.mib - started.mib, answered.mib - started.mib];
  report.add({
    ...{ measure: 'resident beside the file, after one answer', value: afterAnswer - fileMib, unit: 'MiB' },
    ...{ target: `<= ${MAX_BESIDE_FILE_MIB} MiB`, isMet: afterAnswer - fileMib <= MAX_BESIDE_FILE_MIB },
    note:
      `the file ${Math.round(fileMib)} MiB, the process without a model ${Math.round(started.mib)}, ` +
      `with it ${Math.round(afterLoad)} more, after an answer ${Math.round(afterAnswer)}`,
  });
  const ofCheckpoints = checkpoints.mib - base.mib;
  const [own, toOwn, toOthers] = compared.counts;
  report.add({
    ...{ measure: `resident for ${count} checkpoints, in one batch`, value: ofCheckpoints, unit: 'MiB' },
    peer: base.mib - started.mib,
    peerName: 'as many answers of the base',
    ...{ target: `<= ${MAX_OF_CHECKPOINTS_MIB} MiB`, isMet: ofCheckpoints <= MAX_OF_CHECKPOINTS_MIB },
    note:
      `${(ofCheckpoints / count).toFixed(1)} MiB each, ${(ofCheckpoints / count / adapterMib).toFixed(2)} times its file ` +
      `(target ${MAX_PER_ADAPTER})`,
  });
  report.add({
    ...{ measure: 'checkpoints that answer in one batch as alone', value: own, unit: `of ${count}` },
    ...{ target: 'all', isMet: own === count },
    note: `${toOwn.toFixed(3)} nat from it at most, ${toOthers.toFixed(3)} at least from each other one`,
  });
}
