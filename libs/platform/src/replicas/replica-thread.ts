import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { Worker } from 'node:worker_threads';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AppOptions } from '../config/app-options.js';

/** Without its own length and coding, and what belongs to one connection. */
const NOT_FORWARDED = new Set(['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'expect']);
/** A thread that does not end by itself is ended. */
const CLOSE_MS = 10_000;

/** What a replica is started with. */
export interface ReplicaData {
  options: Omit<AppOptions, 'logStream' | 'replica' | 'runsJobs' | 'stopMs'>;
  /** Where it listens. */
  socketPath: string;
}

/** What a replica is told: to collect its garbage, or to end. */
export type ReplicaMessage = 'release' | 'close';

/** A replica of the service in a thread, which listens on a socket of its own. */
export class ReplicaThread {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly worker: Worker;
  private readonly ready: Promise<void>;
  private lives = true;
  /** Bytes of the bodies that it is handling. */
  bytesInFlight = 0;

  constructor(
    url: URL,
    private readonly data: ReplicaData,
    maxHeapMiB: number,
  ) {
    this.worker = new Worker(url, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } });
    this.worker.unref();
    this.ready = this.untilReady();
    this.ready.catch(() => undefined); // reported to whoever forwards a request
  }

  get isAlive(): boolean {
    return this.lives;
  }

  /** @returns the answer, its body still unread. @throws Error the thread could not start, or ended */
  async forward(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): Promise<IncomingMessage> {
    await this.ready;
    const { method, originalUrl, id, sentContentType } = request;
    const headers: Record<string, string | string[] | number> = { 'content-length': bytes.length };
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined && !NOT_FORWARDED.has(name)) headers[name] = value;
    delete headers['content-type'];
    if (sentContentType !== undefined) headers['content-type'] = sentContentType;
    headers['x-request-id'] = id;
    const forwarded = send({
      socketPath: this.data.socketPath,
      agent: this.agent,
      method,
      path: originalUrl,
      headers,
    });
    reply.raw.once('close', () => forwarded.destroy());
    const answered = once(forwarded, 'response') as Promise<[IncomingMessage]>;
    forwarded.end(bytes);
    return (await answered)[0];
  }

  /** Gives memory that its requests have left behind back to the system. For a thread that is idle: it holds it up. */
  releaseMemory(): void {
    this.post('release');
  }

  async close(): Promise<void> {
    if (!this.lives) return;
    this.agent.destroy();
    const ended = once(this.worker, 'exit');
    this.post('close');
    const timer = setTimeout(() => void this.worker.terminate(), CLOSE_MS).unref();
    await ended;
    clearTimeout(timer);
  }

  /** Ends the thread amid its work. */
  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private post(message: ReplicaMessage): void {
    this.worker.postMessage(message);
  }

  private untilReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.worker.once('message', () => resolve());
      this.worker.on('error', (error) => this.end(error, reject));
      this.worker.on('exit', () => this.end(new Error('The thread ended.'), reject));
    });
  }

  private end(error: unknown, reject: (error: unknown) => void): void {
    this.lives = false;
    this.agent.destroy();
    reject(error);
  }
}
