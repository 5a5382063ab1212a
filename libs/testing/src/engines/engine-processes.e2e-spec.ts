import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
const TRIES = 20;

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
    const stranger = await successorOf(server);
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

/**
 * A process, in a group of its own, with the number of an ended one of the server. Others may take that number first, and
 * keep it: then the next of the server's processes gets a successor.
 */
async function successorOf(server: EngineProcesses): Promise<ChildProcess> {
  for (let tries = 0; tries < TRIES; tries++) {
    const child = server.start('sleep', ['1002']);
    // The system gives a number again only after its process has been waited for.
    const exit = once(child, 'exit');
    await server.end();
    await exit;
    writeFileSync(LAST_PID, String((child.pid as number) - 1));
    const successor = spawn('sleep', ['1000'], { detached: true });
    if (successor.pid === child.pid) return successor;
    successor.kill('SIGKILL');
  }
  throw new Error(`No process got the number of another in ${TRIES} tries.`);
}
