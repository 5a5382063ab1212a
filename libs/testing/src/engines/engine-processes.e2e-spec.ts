import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { until } from '../until.js';
import { EngineProcesses } from './engine-processes.js';
import { findMarked } from './marked-processes.js';

const BUILT = join(import.meta.dirname, '../../dist/engines/engine-processes.js');
/** Two processes, of which the second is in a group of its own, as those of Ray are. */
const SERVER = ['-c', 'setsid sleep 1001 & sleep 1002'];
const SLEEPS = /^(setsid )?sleep 100[12]/;

/** A process that starts a server as a spec does, prints the mark of its processes, and waits. */
const TEST = `
  const { EngineProcesses } = await import(${JSON.stringify(BUILT)});
  const server = new EngineProcesses();
  server.start('bash', ${JSON.stringify(SERVER)});
  console.log(server.mark);
  setInterval(() => undefined, 1_000);`;

describe('processes of an engine', () => {
  const sleepsOf = (mark: string) => findMarked(mark).filter(({ line }) => SLEEPS.test(line)).length;

  it('end with the server that they belong to, whatever their groups', async () => {
    const server = new EngineProcesses();
    const other = new EngineProcesses();
    for (const one of [server, other]) one.start('bash', SERVER);
    await until(() => server.find().length === 3 && other.find().length === 3, 'both servers');
    expect(server.kill(/sleep 1001/)).toBe(true);
    await until(() => server.find().every(({ line }) => !line.includes('sleep 1001')), 'the end of one process');
    expect(server.kill(/sleep 1003/)).toBe(false);
    await server.close();
    expect([server.find().length, other.find().length]).toEqual([0, 3]);
    await other.close();
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('end when the test is ended by %s', async (signal) => {
    const test = spawn(process.execPath, ['--input-type=module', '-e', TEST], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    test.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const mark = await until(() => /^(\S+)\n/.exec(output)?.[1], 'the mark');
    await until(() => sleepsOf(mark) === 2, 'the server');
    test.kill(signal);
    await until(() => findMarked(mark).length === 0, 'the end of all');
  });
});
