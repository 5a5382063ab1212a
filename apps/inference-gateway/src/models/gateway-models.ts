import type { Principal } from '@hone/auth';
import { parseTrainedModelRef } from '@hone/contracts';
import { EngineError } from '@hone/engine';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { GatewayError, InvalidRequestError } from '../chat-completions/gateway-error.js';
import { SettingsStore } from '../chat-completions/gateway-settings.js';
import { ConfigurationWatcher } from '../configuration/configuration-watcher.js';
import type { GatewayConfiguration } from '../configuration/gateway-configuration.js';
import { UpstreamsFile } from '../configuration/upstreams.config.js';
import { EmbeddedModels } from '../embedded/index.js';
import type { Route } from '../routing/route.js';
import { RouteTable } from '../routing/route-table.js';
import { SYSTEM_CLOCK } from '../upstreams/clock.js';
import type { ChatRequest } from '../upstreams/target.js';
import { EmbeddedCatalogue, EmbeddedModelTarget } from './embedded-catalogue.js';
import type { ListedModel, ResolvedModel, RouteDirectory } from './route-directory.js';

/** Shown as the owner of what this process serves by itself. */
const OWN = 'hone';

/** The routes of the configuration, and the embedded engine behind some of them. */
@Injectable()
export class GatewayModels implements RouteDirectory, OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(GatewayModels.name);
  private readonly startedAt = Math.floor(Date.now() / 1_000);
  private table!: RouteTable;
  private catalogue!: EmbeddedCatalogue;
  private watcher!: ConfigurationWatcher;

  constructor(
    @Inject(UpstreamsFile) private readonly file: UpstreamsFile,
    @Inject(EmbeddedModels) private readonly engine: EmbeddedModels,
    @Inject(SettingsStore) private readonly settings: SettingsStore,
  ) {}

  async onModuleInit(): Promise<void> {
    this.catalogue = await EmbeddedCatalogue.open(this.engine);
    const configuration = this.file.read();
    this.table = new RouteTable(configuration, this.catalogue, SYSTEM_CLOCK);
    this.settings.apply(configuration);
    this.watcher = new ConfigurationWatcher(this.file, {
      onConfiguration: (configuration) => this.replace(configuration),
      onRefused: (error) => this.logger.error(error.message),
    });
    this.watcher.start();
    await this.warm();
  }

  /** Not before the last request has ended. */
  async onApplicationShutdown(): Promise<void> {
    this.watcher.stop();
    await this.table.close();
    await this.engine.close();
  }

  async find(model: string, _caller: Principal): Promise<ResolvedModel | null> {
    // Trained models come with the training service; until then no reference names one.
    if (parseTrainedModelRef(model)) return null;
    const route = this.table.find(model);
    if (route === null) return null;
    return {
      route,
      answerModel: null,
      checkpoint: null,
      isTrained: false,
      assertFits: (request) => assertFits(route, request),
    };
  }

  /** The routes that are configured at the moment. */
  routes(): readonly Route[] {
    return this.table.list();
  }

  async list(_caller: Principal): Promise<readonly ListedModel[]> {
    return this.table.list().flatMap((route) => [
      this.entry(route, route.id, this.rootOf(route)),
      ...route.aliases.map((alias) => this.entry(route, alias, route.id)),
    ]);
  }

  private entry(route: Route, id: string, root: string): ListedModel {
    const upstream = route.tiers[0]?.targets[0]?.state.target.upstream ?? OWN;
    const ownedBy = isEmbedded(route) ? OWN : upstream;
    return { id, created: this.startedAt, ownedBy, root };
  }

  private rootOf({ id, tiers }: Route): string {
    return tiers[0]?.targets[0]?.state.target.model ?? id;
  }

  private replace(configuration: GatewayConfiguration): void {
    this.table = new RouteTable(configuration, this.catalogue, SYSTEM_CLOCK, this.table);
    this.settings.apply(configuration);
    this.logger.log('The upstreams file was read again.');
  }

  /** The bundled model is ready before the first request: what else lies here is opened when it is asked for. */
  private async warm(): Promise<void> {
    const [first] = this.catalogue.models;
    if (first !== undefined) await this.catalogue.target('local', first)?.open();
  }
}

const embeddedTargets = (route: Route): EmbeddedModelTarget[] =>
  route.tiers.flatMap(({ targets }) =>
    targets.flatMap(({ state: { target } }) => (target instanceof EmbeddedModelTarget ? [target] : [])),
  );

const isEmbedded = (route: Route): boolean => embeddedTargets(route).length > 0;

/**
 * What no target of a route can honour is refused before anything is spent on it: by name when all lack it, and as the
 * embedded engine says when it alone would answer.
 *
 * @throws GatewayError 400, 422, 503
 */
async function assertFits(route: Route, request: ChatRequest): Promise<void> {
  const targets = route.tiers.flatMap((tier) => tier.targets.map(({ state }) => state.target));
  const embedded = embeddedTargets(route);
  const opened = await Promise.all(embedded.map((target) => openOrRefuse(target)));
  const lacking = targets.map((target) => new Set(target.unsupported(request)));
  const nobodys = [...(lacking[0] ?? [])].filter((field) => lacking.every((fields) => fields.has(field)));
  if (nobodys.length > 0) {
    throw new InvalidRequestError(
      nobodys.map((field) => ({
        loc: ['body', field],
        msg: 'The model does not support this parameter',
        type: 'unsupported_parameter',
      })),
    );
  }
  const [only] = opened;
  if (only === undefined || targets.length > 1) return;
  const refusal = await only.check(request);
  if (refusal === null) return;
  if (refusal.status === 422) {
    throw new InvalidRequestError(refusal.issues.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] })));
  }
  throw new GatewayError(400, 'invalid_request_error', refusal.code, refusal.message, {
    headers: { 'x-should-retry': 'false' },
    param: 'messages',
  });
}

async function openOrRefuse(target: EmbeddedModelTarget) {
  try {
    return await target.open();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new GatewayError(503, 'overloaded_error', 'base_model_not_served', error.message, {
      headers: { 'x-should-retry': 'false', 'retry-after': '60' },
    });
  }
}
