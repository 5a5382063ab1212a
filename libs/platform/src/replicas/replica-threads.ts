import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished, Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { AppOptions } from '../config/app-options.js';
import { ForwardedAnswer } from '../errors/forwarded-answer.js';
import { ReplicaThread } from './replica-thread.js';

const MAX_THREADS = 2;
/** Threads that a request is offered to, each of which may have ended just now. */
const MAX_ATTEMPTS = 3;
/** A thread that runs out of this much memory ends, and with it the requests that it was handling; the process stays. */
const MAX_HEAP_MIB = 2_048;
/** A body takes many times its size as values: a thread takes the next one only as long as the sum stays below this. */
const MAX_BYTES_IN_FLIGHT = 64 * 1_048_576;
/**
 * After so long without a heavy body one thread is left, which has given back the memory of the bodies before: to start
 * one costs as much as ten bodies of 2 MB.
 */
const IDLE_MS = 30_000;
/** Connections to Postgres of one thread, besides those of the process. */
const POOL_SIZE = 4;

const NOT_PASSED_BACK = new Set(['connection', 'keep-alive', 'transfer-encoding', 'x-request-id']);

/**
 * A few replicas of the service in threads of this process, for requests whose bodies would hold the event loop. The first
 * starts before it is needed, and stays; others start when they are needed and end when they are idle.
 */
export class ReplicaThreads {
  private readonly threads: ReplicaThread[] = [];
  private readonly waiting: (() => void)[] = [];
  private folder: string | undefined;
  private made = 0;
  private isPrepared = false;
  private idle: NodeJS.Timeout | undefined;

  private constructor(
    private readonly url: URL,
    private readonly options: AppOptions,
    private readonly tempFolder: string,
  ) {}

  /** Threads that end with the server. Their sockets lie in a folder of their own in `tempFolder`. */
  static of(fastify: FastifyInstance, url: URL, options: AppOptions, tempFolder = tmpdir()): ReplicaThreads {
    const threads = new ReplicaThreads(url, options, tempFolder);
    fastify.addHook('onClose', () => threads.close());
    return threads;
  }

  /**
   * Has a thread handle a request.
   *
   * @returns what the thread answers; its body streams as fast as the client reads it
   * @throws Error the thread ended before it answered; whether it had stored anything is unknown
   */
  async forward(
    request: FastifyRequest,
    reply: FastifyReply,
    bytes: Buffer,
    attempts = MAX_ATTEMPTS,
  ): Promise<ForwardedAnswer> {
    clearTimeout(this.idle);
    const thread = await this.enter(bytes.length);
    const leave = () => this.leave(thread, bytes.length);
    try {
      const answer = await thread.forward(request, reply, bytes);
      finished(answer, leave);
      const passedBack = Object.entries(answer.headers).filter(([name]) => !NOT_PASSED_BACK.has(name));
      return new ForwardedAnswer(answer.statusCode as number, Object.fromEntries(passedBack) as never, answer);
    } catch (error) {
      leave();
      // The caller left, and with it the request in the thread: there is nobody to answer.
      if (reply.raw.destroyed) return new ForwardedAnswer(499, {}, Readable.from([]));
      this.retire(thread);
      // It had ended before it took the request: another one may.
      const isUntouched = (error as NodeJS.ErrnoException).syscall === 'connect';
      if (isUntouched && attempts > 1) return this.forward(request, reply, bytes, attempts - 1);
      throw error;
    }
  }

  /** Starts the first thread. One that fails is not replaced before there is work for it. */
  prepare(): void {
    if (!this.isPrepared) this.start();
  }

  /** How many threads there are at the moment. */
  get size(): number {
    return this.threads.filter(({ isAlive }) => isAlive).length;
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    await Promise.all(this.threads.splice(0).map((thread) => thread.close()));
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  /** Takes room in a thread; waits while there is none, first come, first served. */
  private async enter(bytes: number): Promise<ReplicaThread> {
    for (let thread = this.withRoom(bytes); ; thread = this.withRoom(bytes)) {
      if (thread) {
        thread.bytesInFlight += bytes;
        return thread;
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** An idle thread, else a new one, else the one with the most room. */
  private withRoom(bytes: number): ReplicaThread | undefined {
    const alive = this.threads.filter(({ isAlive }) => isAlive);
    this.threads.splice(0, this.threads.length, ...alive);
    const [least] = [...alive].sort((a, b) => a.bytesInFlight - b.bytesInFlight);
    if (least?.bytesInFlight === 0) return least;
    if (alive.length < MAX_THREADS) return this.start();
    return least !== undefined && least.bytesInFlight + bytes <= MAX_BYTES_IN_FLIGHT ? least : undefined;
  }

  /** A thread that fails ends; what else it handles, it may finish. Its end is noticed later than its last answer. */
  private retire(thread: ReplicaThread): void {
    const index = this.threads.indexOf(thread);
    if (index >= 0) this.threads.splice(index, 1);
    void thread.close();
  }

  private start(): ReplicaThread {
    this.isPrepared = true;
    const { logStream, replica, runsJobs, stopMs, ...options } = this.options;
    const config = { ...options.config, poolSize: Math.min(POOL_SIZE, options.config.poolSize) };
    const thread = new ReplicaThread(
      this.url,
      { options: { ...options, config }, socketPath: this.socketPath() },
      MAX_HEAP_MIB,
    );
    this.threads.push(thread);
    return thread;
  }

  private socketPath(): string {
    if (process.platform === 'win32') return `\\\\.\\pipe\\hone-${randomUUID()}`;
    // Systems remove temporary folders that nobody has used for days.
    if (this.folder === undefined || !existsSync(this.folder)) {
      mkdirSync(this.tempFolder, { recursive: true, mode: 0o700 });
      this.folder = mkdtempSync(join(this.tempFolder, 'hone-')); // only its owner may enter it
    }
    // Short: some systems take no more than 104 bytes for the whole path.
    return join(this.folder, String(this.made++));
  }

  private leave(thread: ReplicaThread, bytes: number): void {
    thread.bytesInFlight -= bytes;
    for (const enter of this.waiting.splice(0)) enter();
    if (this.threads.some(({ bytesInFlight }) => bytesInFlight > 0)) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      for (const idle of this.threads.splice(1)) void idle.close();
      this.threads[0]?.releaseMemory();
    }, IDLE_MS).unref();
  }
}
