import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { StandbyProcess } from './standby-process.js';

const ECHO = `process.on('message', (text) => process.send(text)); process.on('disconnect', () => process.exit());`;

describe('a process on standby', () => {
  const started: ChildProcess[] = [];
  const start = () => {
    const child = spawn(process.execPath, ['-e', ECHO], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    started.push(child);
    return child;
  };
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  const answers = async (child: ChildProcess) => {
    child.send('hello');
    const [text] = (await once(child, 'message')) as [string];
    return text === 'hello';
  };

  it('is started once, and taken once', async () => {
    const processes = new StandbyProcess(start);
    const prepared = processes.prepare();
    expect(processes.prepare()).toBeNull();
    expect(processes.take()).toBe(prepared);
    expect(await answers(prepared as ChildProcess)).toBe(true);
    const next = processes.take();
    expect(started).toEqual([prepared, next]);
    expect(await answers(next)).toBe(true);
  });

  it('is not handed out when it has ended', async () => {
    const processes = new StandbyProcess(start);
    const prepared = processes.prepare() as ChildProcess;
    prepared.kill('SIGKILL');
    await once(prepared, 'exit');
    const next = processes.take();
    expect(next).not.toBe(prepared);
    expect(await answers(next)).toBe(true);
  });

  it('ends when nobody takes it, and does not when somebody did', async () => {
    const processes = new StandbyProcess(start, 1_000);
    processes.prepare();
    const taken = processes.take();
    const prepared = processes.prepare() as ChildProcess;
    await once(prepared, 'exit');
    expect(prepared.signalCode).toBe('SIGKILL');
    expect(await answers(taken)).toBe(true);
    expect(processes.prepare()).not.toBeNull();
  });
});
