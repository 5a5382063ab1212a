import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { trainingJob } from './training-job.mjs';

/** One job carried out again and again: the adapter files must be the same to the bit. */
export async function measureDeterminism(context) {
  const { options, progress, report } = context;
  const [runs, steps] = options.quick ? [3, 3] : [10, 5];
  progress.step(`the same job ${runs} times`);
  const job = await trainingJob(context, steps);
  const digests = new Set();
  for (let run = 1; run <= runs; run++) {
    progress.detail(`run ${run} of ${runs}`);
    const file = join(await job.run(), 'adapter_model.safetensors');
    digests.add(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    );
  }
  report.add({
    measure: `different adapter files of ${runs} equal jobs`,
    value: digests.size,
    unit: 'files',
    target: '1',
    isMet: digests.size === 1,
    note: `${steps} steps each, in a process each, 2 threads`,
  });
}
