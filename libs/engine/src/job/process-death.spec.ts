import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { useTempFolder } from '../model/temp-folder.fixture.js';
import { countOomKills, ProcessDeath } from './process-death.js';

const root = useTempFolder();

/** Files of a kernel that has killed so many processes, of all cgroups and of this one. */
async function kernelSays(all: number, own: number): Promise<void> {
  await mkdir(join(root(), 'proc/self'), { recursive: true });
  await mkdir(join(root(), 'sys/fs/cgroup/pod/hone'), { recursive: true });
  await writeFile(join(root(), 'proc/self/cgroup'), '0::/pod/hone\n');
  await writeFile(join(root(), 'proc/vmstat'), `nr_free_pages 7\noom_kill ${all}\nnuma_hit 1\n`);
  await writeFile(join(root(), 'sys/fs/cgroup/pod/hone/memory.events'), `oom 9\noom_kill ${own}\n`);
}

async function codeOf(how: string, log: string, meanwhile: () => Promise<void>): Promise<string> {
  const death = new ProcessDeath(root());
  await countOomKills(root()); // the first count is done by now
  await meanwhile();
  return (await death.explain(how, log)).code;
}
const nothing = () => Promise.resolve();

describe('a process that was killed', () => {
  it('ran out of memory when the kernel has killed for lack of it in the meantime', async () => {
    await kernelSays(3, 1);
    expect(await codeOf('SIGKILL', '', () => kernelSays(4, 1))).toBe('engine.out_of_memory');
    expect(await codeOf('SIGKILL', '', () => kernelSays(4, 2))).toBe('engine.out_of_memory');
  });

  it('ran out of memory by the count of a cgroup of the first version too', async () => {
    const group = join(root(), 'sys/fs/cgroup/memory/pod');
    await mkdir(join(root(), 'proc/self'), { recursive: true });
    await mkdir(group, { recursive: true });
    await writeFile(join(root(), 'proc/self/cgroup'), '5:cpuset:/x\n4:memory:/pod\n0::/\n');
    const says = (kills: number) => writeFile(join(group, 'memory.oom_control'), `under_oom 0\noom_kill ${kills}\n`);
    await says(0);
    expect(await codeOf('SIGKILL', '', () => says(1))).toBe('engine.out_of_memory');
    expect(await codeOf('SIGKILL', '', nothing)).toBe('engine.process_died');
  });

  it('was killed by somebody when the kernel killed nothing', async () => {
    await kernelSays(3, 1);
    expect(await codeOf('SIGKILL', '', nothing)).toBe('engine.process_died');
    expect(await codeOf('SIGTERM', '', () => kernelSays(4, 2))).toBe('engine.process_died');
  });

  it('is not said to have run out of memory by a kernel that does not count', async () => {
    expect(await countOomKills(root())).toBeNull();
    expect(await codeOf('SIGKILL', '', nothing)).toBe('engine.process_died');
    await kernelSays(1, 1);
    await rm(join(root(), 'sys'), { recursive: true });
    expect(await countOomKills(root())).toBe(1);
  });

  it.each([
    ['SIGABRT', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
    ['exit code 134', 'terminate called after throwing an instance of std::bad_alloc'],
  ])('ran out of memory when it says so: %s', async (how, log) => {
    expect(await codeOf(how, log, nothing)).toBe('engine.out_of_memory');
  });

  it('keeps what it wrote last', async () => {
    const error = await new ProcessDeath(root()).explain('exit code 1', 'Segmentation fault');
    expect(error).toMatchObject({ code: 'engine.process_died', cause: 'Segmentation fault' });
    expect(error.message).toBe('The training process ended without a result (exit code 1).');
  });
});
