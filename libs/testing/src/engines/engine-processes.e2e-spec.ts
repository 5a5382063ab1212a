import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from '../until.js';
import { EngineProcesses } from './engine-processes.js';
import { findProcesses } from './server-processes.js';

const BUILT = join(import.meta.dirname, '../../dist/engines/engine-processes.js');
/** One process without the environment, as after a title was written over it, and one in a group of its own. */
const SERVER = ['-c', 'env -i sleep 1000 & setsid sleep 1001 & exec sleep 1002'];
const COUNT = 3;
/** The number before that of the next process. Only root may choose it. */
const LAST_PID = '/proc/sys/kernel/ns_last_pid';
const TRIES = 1_000;

/** A process that starts a server as a spec does, prints how its processes are known, and waits. */
const TEST = `
  const { EngineProcesses } = await import(${JSON.stringify(BUILT)});
  const server = new EngineProcesses();
  const { pid } = server.start('bash', ${JSON.stringify(SERVER)});
  console.log(server.signs.mark, pid);
  setInterval(() => undefined, 1_000);`;

describe('processes of an engine', () => {
  const areUp = (lines: readonly { line: string }[]) =>
    lines.filter(({ line }) => /^sleep 100\d/.test(line)).length === COUNT;

  it('end with the server that they belong to, whatever their group and environment', async () => {
    const server = new EngineProcesses();
    const other = new EngineProcesses();
    for (const one of [server, other]) one.start('bash', SERVER);
    await until(() => areUp(server.find()) && areUp(other.find()), 'both servers');
    expect(server.kill(/sleep 1002/)).toBe(true);
    await until(() => server.find().length === COUNT - 1, 'the end of one process');
    expect(server.kill(/sleep 1003/)).toBe(false);
    await server.close();
    expect([server.find().length, other.find().length]).toEqual([0, COUNT]);
    await other.close();
  });

  (mayChoosePids() ? it : it.skip)('are not taken for those that got their numbers later', async () => {
    const server = new EngineProcesses();
    const { pid } = server.start('sleep', ['1002']);
    await server.end();
    const stranger = spawnAs(pid as number);
    server.start('sleep', ['1002']);
    await server.close();
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    stranger.kill('SIGKILL');
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('end when the test is ended by %s', async (signal) => {
    const test = spawn(process.execPath, ['--input-type=module', '-e', TEST], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    test.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const [, mark, group] = await until(() => /^(\S+) (\d+)\n/.exec(output), 'the signs');
    const signs = { mark: mark as string, groups: new Set([Number(group)]) };
    await until(() => areUp(findProcesses(signs)), 'the server');
    test.kill(signal);
    await until(() => findProcesses(signs).length === 0, 'the end of all');
  });
});

function mayChoosePids(): boolean {
  try {
    accessSync(LAST_PID, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A process of this number, with a group of its own. Others may take the number first: then the next one may get it. */
function spawnAs(pid: number): ChildProcess {
  for (let tries = 0; tries < TRIES; tries++) {
    writeFileSync(LAST_PID, String(pid - 1));
    const child = spawn('sleep', ['1000'], { detached: true });
    if (child.pid === pid) return child;
    child.kill('SIGKILL');
  }
  throw new Error(`No process got the number ${pid}.`);
}
