import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { LaunchError } from '../config/launch.error.js';
import type { LogFile } from '../logs/log-file.js';
import { ServiceOutput } from '../logs/service-output.js';
import { Backoff } from './backoff.js';
import { ENGINE_ENVIRONMENT, LEAN_ENVIRONMENT, LEAN_FLAGS, LIST_FLAGS } from './lean-process.js';
import type { ServicePlan } from './service-plan.js';

const WRONG_VARIABLE = /^[A-Z_]+ is (wrong|not set): expected /;

/** One service as a child process: started, started again when it dies, stopped. */
export class ServiceProcess {
  private readonly backoff = new Backoff();
  private readonly output: ServiceOutput;
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private restart: NodeJS.Timeout | undefined;
  private listened = false;
  private stopping = false;
  private onDraining: () => void = () => undefined;
  private readonly draining = new Promise<void>((resolve) => (this.onDraining = resolve));

  constructor(
    readonly plan: ServicePlan,
    log: LogFile,
    private readonly show: (line: string) => void,
  ) {
    this.output = new ServiceOutput(plan.name, log, show);
  }

  /**
   * Resolves when the service listens for the first time.
   *
   * @throws LaunchError it ended before: something is wrong that a new try would not mend
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.spawn(resolve, (how) => reject(new LaunchError(this.explain(how))));
    });
  }

  /** SIGTERM; SIGKILL when it did not end within `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    this.child?.kill('SIGTERM');
    const timer = setTimeout(() => this.child?.kill('SIGKILL'), Math.max(0, timeoutMs));
    await this.ended;
    clearTimeout(timer);
  }

  /** Resolves when the stopping process reports that it drains, or has ended; at the latest after `timeoutMs`. */
  async takesNothingNew(timeoutMs: number): Promise<void> {
    const timeout = new AbortController();
    await Promise.race([this.draining, this.ended, sleep(timeoutMs, undefined, { signal: timeout.signal })]);
    timeout.abort();
  }

  private spawn(onListening?: () => void, onEarlyEnd?: (how: string) => void): void {
    const startedAt = Date.now();
    const lean = this.plan.isEngine ? ENGINE_ENVIRONMENT : LEAN_ENVIRONMENT;
    const flags = this.plan.hasLongLists ? LIST_FLAGS : LEAN_FLAGS;
    const child = spawn(process.execPath, [...flags, this.plan.script], {
      env: { ...lean, ...process.env, ...this.plan.variables },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C in a terminal goes to the whole group; the services are to stop after the proxy, when we say so.
      detached: true,
    });
    this.child = child;
    this.output.follow(child.stdout as never, child.stderr as never);
    child.on('message', (message) => {
      if (message === 'draining') this.onDraining();
      if (message !== 'listening') return;
      if (this.listened) this.show(`${this.plan.name} is up again`);
      this.listened = true;
      this.output.started();
      onListening?.();
    });
    child.on('error', () => undefined); // a signal to a process that is gone, or no process at all: 'close' follows
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.child = undefined;
        resolve();
        const how = `ended (${signal ?? `exit ${code}`})`;
        if (!this.listened && onEarlyEnd) onEarlyEnd(how);
        else if (!this.stopping) this.startAgain(how, Date.now() - startedAt);
      });
    });
  }

  /** The service's own log line names a wrong variable. */
  private explain(how: string): string {
    const { complaints } = this.output;
    return (
      complaints.find((line) => WRONG_VARIABLE.test(line)) ?? [`${this.plan.name} ${how}.`, ...complaints].join('\n')
    );
  }

  private startAgain(how: string, livedMs: number): void {
    const delayMs = this.backoff.nextDelayMs(livedMs);
    this.show(`${this.plan.name} ${how}; starting it again${delayMs ? ` in ${delayMs / 1_000} s` : ''}`);
    this.restart = setTimeout(() => this.spawn(), delayMs);
  }
}
