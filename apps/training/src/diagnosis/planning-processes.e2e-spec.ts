import { join } from 'node:path';

import { DEFAULT_TRAINING_CONFIG } from '../config/training.config.js';
import { PlanningProcesses } from './planning-processes.js';

const base = { directory: join(import.meta.dirname, '../../../../models/hone-tiny'), maxParams: 1e9, maxContext: null };
const processes = (largeBodyWaitMs = 30_000) =>
  new PlanningProcesses({ ...DEFAULT_TRAINING_CONFIG, dataDir: '', largeBodyWaitMs });
const aCase = (text: string) => ({
  kind: 'sft' as const,
  validationLines: null,
  lines: Buffer.from(text),
  config: null,
  base,
});
const LINE = '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}';

describe('planning processes', () => {
  it('take turns, and all get their answer', async () => {
    const one = processes();
    const cases = [1, 2, 3, 4, 5].map((lines) => one.run(aCase(Array(lines).fill(LINE).join('\n'))));
    expect((await Promise.all(cases)).map(({ num_sequences }) => num_sequences)).toEqual([1, 1, 2, 2, 3]);
  });

  it('end alone when they break', async () => {
    const one = processes();
    const groups = { body: Buffer.from('not JSON') };
    const broken = { kind: 'rl' as const, groups, config: null, base, parentStep: 0 };
    await expect(one.run(broken)).rejects.toMatchObject({ code: 'limit.diagnosis_too_large', kind: 'too_large' });
    expect(await one.run(aCase(LINE))).toMatchObject({ ok: true });
  });

  it('let nobody wait for longer than a request may', async () => {
    const one = processes(0);
    const busy = [one.run(aCase(LINE)), one.run(aCase(LINE))];
    await expect(one.run(aCase(LINE))).rejects.toMatchObject({ code: 'server.busy', headers: { 'retry-after': '5' } });
    await Promise.all(busy);
    expect(await one.run(aCase(LINE))).toMatchObject({ ok: true });
  });
});
