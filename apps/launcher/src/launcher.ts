import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePorts } from './config/free-ports.js';
import { LaunchError } from './config/launch.error.js';
import type { LauncherConfig } from './config/launcher.config.js';
import { checkListenAddress } from './config/listen-check.js';
import { LogFile } from './logs/log-file.js';
import { migrateInChild } from './processes/migrate-process.js';
import { PostgresProcess } from './processes/postgres-process.js';
import { planProxy, planServices, serviceCount, type ServicePlan, TRAINER } from './processes/service-plan.js';
import { ServiceProcess } from './processes/service-process.js';
import { addressOf, readyMessage } from './ready-message.js';
import { signInLink } from './sign-in-link.js';

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 50;
/** Everything is stopped within this; running requests have 10 s of it. */
const STOP_MS = 11_500;
/** Time for the proxy to report that it drains. */
const PROXY_DRAIN_MS = 500;
/** Time for the last accepted requests to reach their service. */
const LAST_REQUESTS_MS = 100;
/** Reserved for Postgres to write its last page. */
const POSTGRES_STOP_MS = 500;
/** Beyond the pools: one listener per service, migrations, and an operator's psql. */
const SPARE_CONNECTIONS = 10;

const UNREACHABLE = /connect|ENOTFOUND|EAI_AGAIN|timeout|authentication|(role|database) ".*" does not exist/i;

/**
 * Starts everything in order, keeps it running, and stops it in the opposite order.
 * Its layers, top first; an import may only point down (lint):
 *
 * - processes: Postgres, migrations and the services as child processes -> logs, config
 * - logs: their log files
 * - config: settings, data folder, ports
 */
export class Launcher {
  private readonly stopping = new AbortController();
  private readonly services: ServiceProcess[] = [];
  private postgres: PostgresProcess | undefined;
  private proxy: ServiceProcess | undefined;
  private started = Date.now();

  constructor(
    private readonly config: LauncherConfig,
    private readonly tempFolder: string,
    private readonly show: (line: string) => void,
  ) {}

  /**
   * Resolves when `/readyz` answers 200 at the public address.
   *
   * @throws LaunchError
   */
  async start(): Promise<void> {
    const { config } = this;
    const [freePort, postgresPort, ...ports] = (await freePorts(2 + serviceCount(config))) as [number, number];
    const port = config.port || freePort;
    await checkListenAddress(config.host, port);
    const databaseUrl = config.databaseUrl ?? (await this.startPostgres(postgresPort));
    this.throwIfStopped();
    this.step(await this.migrate(databaseUrl));
    const plans = planServices(config, databaseUrl, this.tempFolder, ports);
    this.throwIfStopped();
    for (const plan of plans) this.services.push(this.process(plan));
    this.proxy = this.process(planProxy(config, port, plans));
    await Promise.all([this.proxy, ...this.services].map((service) => this.startService(service)));
    const address = addressOf(config.host, port);
    await this.untilReady(address);
    this.show(readyMessage(config, address, await signInLink(config, address)));
  }

  /**
   * Drains: first the proxy takes no new request, then every service gets SIGTERM and lets its running requests end, or
   * ends them with an error that the proxy still passes on. Postgres stops last.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    const deadline = Date.now() + STOP_MS;
    const stop = (service: ServiceProcess) => service.stop(deadline - POSTGRES_STOP_MS - Date.now());
    const isTrainer = ({ plan }: ServiceProcess) => plan.name === TRAINER;
    // A trainer answers no requests: it may drain its job at once.
    const stopped = this.services.filter(isTrainer).map(stop);
    if (this.proxy) {
      stopped.push(stop(this.proxy));
      await this.proxy.takesNothingNew(PROXY_DRAIN_MS);
      await sleep(LAST_REQUESTS_MS);
    }
    stopped.push(...this.services.filter((service) => !isTrainer(service)).map(stop));
    await Promise.all(stopped);
    await this.postgres?.stop(deadline - Date.now());
  }

  private async startPostgres(port: number): Promise<string> {
    const connections = serviceCount(this.config) * (this.config.poolSize + 1) + SPARE_CONNECTIONS;
    this.postgres = new PostgresProcess(this.config.dataDir, port, Math.max(100, connections), this.show);
    const url = await this.postgres.start();
    this.step('postgres is up');
    return url;
  }

  private async migrate(databaseUrl: string): Promise<string> {
    try {
      return await migrateInChild(databaseUrl, this.stopping.signal);
    } catch (error) {
      if (!this.config.databaseUrl || !UNREACHABLE.test((error as Error).message)) throw error;
      throw new LaunchError(`DATABASE_URL is wrong: expected a Postgres that answers. ${(error as Error).message}`);
    }
  }

  private process(plan: ServicePlan): ServiceProcess {
    return new ServiceProcess(plan, new LogFile(join(this.config.dataDir, 'logs', `${plan.name}.log`)), this.show);
  }

  private async startService(service: ServiceProcess): Promise<void> {
    await service.start();
    this.step(`${service.plan.name} is up`);
  }

  private async untilReady(address: string): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      this.throwIfStopped();
      const answer = await fetch(`${address}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return;
      if (Date.now() > deadline)
        throw new LaunchError(`${address}/readyz did not answer 200 within ${READY_TIMEOUT_MS / 1_000} s.`);
      await sleep(READY_POLL_MS);
    }
  }

  private step(what: string): void {
    if (!this.stopping.signal.aborted) this.show(`${what} (${((Date.now() - this.started) / 1_000).toFixed(1)} s)`);
  }

  private throwIfStopped(): void {
    this.stopping.signal.throwIfAborted();
  }
}
