import type { Principal } from '@hone/auth';
import { parseTrainedModelRef, type TrainedModelRef } from '@hone/contracts';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { SettingsStore } from '../chat-completions/gateway-settings.js';
import { ConfigurationWatcher } from '../configuration/configuration-watcher.js';
import type { GatewayConfiguration } from '../configuration/gateway-configuration.js';
import { UpstreamsFile } from '../configuration/upstreams.config.js';
import { EmbeddedModels } from '../embedded/index.js';
import type { Route } from '../routing/route.js';
import { RouteTable } from '../routing/route-table.js';
import { CheckpointNotices } from '../trained/checkpoint-notices.js';
import { type ResolvedRef, stepOf } from '../trained/trained-model.js';
import { TrainedModels } from '../trained/trained-models.service.js';
import { TrainedRoutes } from '../trained/trained-routes.js';
import { TrainedTarget } from '../trained/trained-target.js';
import { baseModelNotServed } from '../trained/trained.errors.js';
import { SYSTEM_CLOCK } from '../upstreams/clock.js';
import { assertFits } from './assert-fits.js';
import { EmbeddedCatalogue } from './embedded-catalogue.js';
import { LazyEmbeddedTarget } from './lazy-embedded-target.js';
import type { ListedModel, ResolvedModel, RouteDirectory } from './route-directory.js';

/** Shown as the owner of what this process serves by itself. */
const OWN = 'hone';

/** The routes of the configuration, and the embedded engine behind some of them. */
@Injectable()
export class GatewayModels implements RouteDirectory, OnModuleInit, OnApplicationShutdown {
  /** The upstreams file was changed and is wrong: what it said before holds. */
  isFileRefused = false;
  private readonly logger = new Logger(GatewayModels.name);
  private readonly startedAt = Math.floor(Date.now() / 1_000);
  private table!: RouteTable;
  private catalogue!: EmbeddedCatalogue;
  /** Null: the start has not come that far. */
  private watcher: ConfigurationWatcher | null = null;

  constructor(
    @Inject(UpstreamsFile) private readonly file: UpstreamsFile,
    @Inject(EmbeddedModels) private readonly engine: EmbeddedModels,
    @Inject(SettingsStore) private readonly settings: SettingsStore,
    private readonly trained: TrainedModels,
    private readonly trainedRoutes: TrainedRoutes,
    private readonly notices: CheckpointNotices,
  ) {}

  async onModuleInit(): Promise<void> {
    this.catalogue = await EmbeddedCatalogue.open(this.engine);
    const configuration = this.file.read();
    this.table = new RouteTable(configuration, this.catalogue, SYSTEM_CLOCK);
    this.settings.apply(configuration);
    this.watcher = new ConfigurationWatcher(this.file, {
      onConfiguration: (configuration) => this.replace(configuration),
      onRefused: (error) => {
        this.isFileRefused = true;
        this.logger.error(error.message);
      },
    });
    this.watcher.start();
    await this.notices.start((ref) => this.load(ref));
    await this.warm();
  }

  /** Not before the last request has ended. A start may be called off before there is anything to close. */
  async onApplicationShutdown(): Promise<void> {
    if (this.watcher !== null) {
      this.watcher.stop();
      await this.table.close();
    }
    await this.engine.close();
  }

  find(model: string, caller: Principal): ResolvedModel | null | Promise<ResolvedModel | null> {
    const ref = parseTrainedModelRef(model);
    if (ref) return this.findTrained(ref, caller);
    const route = this.table.find(model);
    return route && resolved(route, null);
  }

  /** The routes that are configured at the moment. */
  routes(): readonly Route[] {
    return this.table.list();
  }

  async list(caller: Principal): Promise<readonly ListedModel[]> {
    return [...this.listRoutes(), ...(await this.trained.list(caller))];
  }

  async findListed(id: string, caller: Principal): Promise<ListedModel | null> {
    const ref = parseTrainedModelRef(id);
    if (ref) return this.trained.findListed(ref, caller);
    return this.listRoutes().find((model) => model.id === id) ?? null;
  }

  private async findTrained(wanted: TrainedModelRef, caller: Principal): Promise<ResolvedModel | null> {
    const ref = await this.trained.find(wanted, caller);
    if (ref === null) return null;
    const route = this.trainedRoutes.route(this.table, ref, this.trained.pinnedName(ref));
    if (route.tiers.length === 0) throw baseModelNotServed(ref.model.baseModel);
    return resolved(route, { id: ref.checkpoint?.id ?? null, step: stepOf(ref) });
  }

  /** A checkpoint is loaded before it is asked for, if its model is in use. */
  private async load(ref: ResolvedRef): Promise<void> {
    const { tiers } = this.trainedRoutes.route(this.table, ref, this.trained.pinnedName(ref));
    for (const { state } of tiers.flatMap(({ targets }) => targets)) {
      if (state.target instanceof TrainedTarget) await state.target.open();
    }
  }

  private listRoutes(): ListedModel[] {
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
    this.isFileRefused = false;
    this.logger.log('The upstreams file was read again.');
  }

  /** The bundled model is ready before the first request: what else lies here is opened when it is asked for. */
  private async warm(): Promise<void> {
    const [first] = this.catalogue.models;
    if (first !== undefined) await this.catalogue.target('local', first)?.open();
  }
}

function resolved(route: Route, checkpoint: ResolvedModel['checkpoint']): ResolvedModel {
  return {
    route,
    answerModel: null,
    checkpoint,
    isTrained: checkpoint !== null,
    assertFits: (request) => assertFits(route, request),
  };
}

const isEmbedded = ({ tiers }: Route): boolean =>
  tiers.some(({ targets }) => targets.some(({ state }) => state.target instanceof LazyEmbeddedTarget));
