import type { ChildProcess } from 'node:child_process';

/** An idle prepared process exits after this time, to free its memory. */
const KEEP_MS = 60_000;

/** Starts a child process ahead of its use: most of the time of a short job is the start of its processes. */
export class StandbyProcess {
  private prepared: ChildProcess | undefined;

  /** @param start forks a process that waits for its first message and exits when its parent does */
  constructor(
    private readonly start: () => ChildProcess,
    private readonly keepMs = KEEP_MS,
  ) {}

  /** Starts a process unless one is prepared; returns the new one, so that it can be told what to load. */
  prepare(): ChildProcess | null {
    if (this.prepared) return null;
    const child = this.start();
    const forget = () => {
      clearTimeout(timer);
      if (this.prepared === child) this.prepared = undefined;
    };
    const timer = setTimeout(() => this.prepared === child && child.kill('SIGKILL'), this.keepMs).unref();
    child.once('error', forget).once('exit', forget);
    setReferenced(child, false);
    this.prepared = child;
    return child;
  }

  /** The prepared process, or a new one. It belongs to the caller. */
  take(): ChildProcess {
    const child = this.prepared;
    this.prepared = undefined;
    if (!child?.connected) return this.start();
    setReferenced(child, true);
    return child;
  }
}

/** A waiting process does not keep its parent alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const change = isReferenced ? 'ref' : 'unref';
  child[change]();
  child.channel?.[change]();
  // Sockets, though the types say streams.
  for (const stream of [child.stdout, child.stderr]) (stream as { ref?(): void; unref?(): void } | null)?.[change]?.();
}
