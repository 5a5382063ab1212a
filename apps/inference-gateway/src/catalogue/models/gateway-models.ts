import { allowsModel, type Principal } from '@hone/auth';
import { MODEL_KINDS, type ModelKind, parseTrainedModelRef, type TrainedModelRef } from '@hone/contracts';
import { isModelId, writeModelRoutes } from '@hone/engine';
import { Readiness } from '@hone/platform';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { answers, type Route } from '../../dispatch/route/route.js';
import { ANSWERED, CHAT, type Endpoint } from '../../shared/endpoint.js';
import { readDataDir } from '../../shared/gateway.config.js';
import { SettingsStore } from '../../shared/gateway-settings.js';
import { SYSTEM_CLOCK } from '../../shared/time/clock.js';
import { EmbeddedModels } from '../../targets/embedded/embedded-models.js';
import { UpstreamRegistry } from '../../targets/registry/upstream-registry.js';
import { OWN } from '../../targets/target.js';
import { ConfigurationWatcher } from '../configuration/configuration-watcher.js';
import type { GatewayConfiguration } from '../configuration/gateway-configuration.js';
import { toSettings } from '../configuration/to-settings.js';
import { UpstreamsFile } from '../configuration/upstreams.config.js';
import type { ListedModel } from '../routes/listed-model.js';
import { type ConfiguredUpstream, RouteTable } from '../routes/route-table.js';
import { AdapterMetrics } from '../trained/adapter-metrics.js';
import { CheckpointListener } from '../trained/checkpoint-listener.js';
import { ModelNotServedError } from '../trained/trained.errors.js';
import { type AliasSplit, type ResolvedRef, stepOf } from '../trained/trained-model.js';
import { TrainedModels } from '../trained/trained-models.service.js';
import { TrainedRoutes } from '../trained/trained-routes.js';
import { assertFits, countTokens } from './assert-fits.js';
import { MissingTargets } from './missing-targets.js';
import type { ResolvedModel } from './resolved-model.js';

/** Every model that callers may name: the routes of the configuration, and trained models by reference. */
@Injectable()
export class GatewayModels implements OnModuleInit, OnApplicationShutdown {
  /** The upstreams file was changed and is wrong: the configuration before it stays in effect. */
  isFileRefused = false;
  private readonly logger = new Logger(GatewayModels.name);
  private readonly startedAt = Math.floor(Date.now() / 1_000);
  private table!: RouteTable;
  private configuration!: GatewayConfiguration;
  private registry!: UpstreamRegistry;
  private keeping: Promise<void> = Promise.resolve();
  private readonly missing = new MissingTargets((model) => this.registry.reasonAgainst(model));
  /** Null: the start has not come that far. */
  private watcher: ConfigurationWatcher | null = null;

  constructor(
    private readonly file: UpstreamsFile,
    private readonly engine: EmbeddedModels,
    private readonly settings: SettingsStore,
    private readonly trained: TrainedModels,
    private readonly trainedRoutes: TrainedRoutes,
    private readonly checkpoints: CheckpointListener,
    private readonly adapters: AdapterMetrics,
    readiness: Readiness,
  ) {
    readiness.addWarnings(() => this.missing.sentences);
  }

  async onModuleInit(): Promise<void> {
    const { engine, adapters: observer } = this;
    this.registry = await UpstreamRegistry.create({ engine, dataDir: readDataDir(), observer, clock: SYSTEM_CLOCK });
    this.apply(this.file.read(), null);
    this.watcher = new ConfigurationWatcher(this.file, {
      onConfiguration: (configuration) => this.replace(configuration),
      onRefused: (error) => {
        this.isFileRefused = true;
        this.logger.error(error.message);
      },
    });
    this.watcher.start();
    this.registry.watch(() => this.routeAgain());
    await this.checkpoints.start((ref) => this.load(ref));
    // The first bundled model is ready before the first request; the others load when they are first asked.
    await this.registry.warm();
  }

  /** After the last request has ended. A start may fail before there is anything to close. */
  async onApplicationShutdown(): Promise<void> {
    if (this.watcher !== null) {
      this.watcher.stop();
      await this.table.close();
    }
    await this.keeping;
    await this.engine.close();
  }

  /** Synchronous for routes that are known. Null: there is none, or the caller may not read it, or not with this key. */
  find(model: string, caller: Principal): ResolvedModel | null | Promise<ResolvedModel | null> {
    if (!allowsModel(caller.attributes, model)) return null;
    const ref = parseTrainedModelRef(model);
    if (ref) return this.findTrained(ref, caller);
    const route = this.table.find(model);
    return route === null || route.tiers.length === 0 ? this.findNew(model) : resolved(route, null, null);
  }

  /** Ids of the configured routes that answer an endpoint, as far as the caller may use them. */
  serving(endpoint: Endpoint, { attributes }: Principal): readonly string[] {
    const ids = this.table.list().flatMap((route) => (answers(route, endpoint) ? [route.id] : []));
    return ids.filter((id) => allowsModel(attributes, id));
  }

  /** Ids of the configured routes that are known to read images, as far as the caller may use them. */
  readingImages({ attributes }: Principal): readonly string[] {
    const reads = ({ tiers }: Route) =>
      tiers.some(({ targets }) => targets.some(({ state }) => state.target.readsImages));
    return this.table.list().flatMap((route) => (reads(route) && allowsModel(attributes, route.id) ? [route.id] : []));
  }

  /** The configured routes in effect. */
  routes(): readonly Route[] {
    return this.table.list();
  }

  upstreams(): readonly ConfiguredUpstream[] {
    return this.table.listUpstreams();
  }

  /** Routes of the trained models that requests named since the configuration was read, the latest first. */
  trainedRoutesInUse(): readonly Route[] {
    return this.trainedRoutes.list(this.table);
  }

  /** Whether the caller may know the name of a route: that of a trained model is for readers of its project. */
  mayName(routeId: string, caller: Principal): boolean {
    const ref = parseTrainedModelRef(routeId);
    return !ref || this.trained.isReadable(ref, caller);
  }

  async list(caller: Principal): Promise<readonly ListedModel[]> {
    const models = [...this.listRoutes(), ...(await this.trained.list(caller))];
    return models.filter(({ id }) => allowsModel(caller.attributes, id));
  }

  /** One entry, by any of its names. Null: there is none, or the caller may not read it. */
  async findListed(id: string, caller: Principal): Promise<ListedModel | null> {
    if (!allowsModel(caller.attributes, id)) return null;
    const ref = parseTrainedModelRef(id);
    if (ref) return this.trained.findListed(ref, caller);
    const listed = () => this.listRoutes().find((model) => model.id === id) ?? null;
    return listed() ?? ((await this.lookFor(id)) && listed());
  }

  /**
   * Who has just added a base model names it, or a route to it, before its folder would be looked at.
   *
   * @throws GatewayError 503 the model is there and cannot be loaded, or the route names models that are not there
   */
  private async findNew(model: string): Promise<ResolvedModel | null> {
    const route = await this.lookFor(model);
    if (route !== null) {
      const reasons = route.tiers.length === 0 ? this.missing.reasonsOf(route.id) : null;
      if (reasons !== null) throw ModelNotServedError.ofRoute(route.id, reasons);
      return resolved(route, null, null);
    }
    const reason = this.registry.reasonAgainst(model);
    if (reason !== null) throw ModelNotServedError.ofBase(model, reason);
    return null;
  }

  private async lookFor(model: string): Promise<Route | null> {
    const known = this.table.find(model);
    if (known === null && !isModelId(model)) return null;
    await this.registry.lookForModels();
    return this.table.find(model);
  }

  private async findTrained(wanted: TrainedModelRef, caller: Principal): Promise<ResolvedModel | null> {
    const ref = await this.trained.find(wanted, caller);
    if (ref === null) return null;
    const name = this.trained.pinnedName(ref);
    const route = this.trainedRoutes.route(this.table, ref, name);
    const { baseModel } = ref.model;
    if (route.tiers.length === 0) throw ModelNotServedError.ofBase(baseModel, this.registry.reasonAgainst(baseModel));
    const { id: modelId, entity, project } = ref.model;
    const pinned = { name, modelId, step: stepOf(ref), id: ref.checkpoint?.id ?? null };
    return resolved(route, pinned, `${entity}/${project}`, ref.split);
  }

  /** Loads a checkpoint wherever it can be served, before the first request for it. @throws the first failure */
  private async load(ref: ResolvedRef): Promise<void> {
    const { tiers } = this.trainedRoutes.route(this.table, ref, this.trained.pinnedName(ref));
    const targets = tiers.flatMap(({ targets }) => targets.map(({ state }) => state.target));
    const trained = targets.filter(({ pinned }) => pinned !== undefined);
    const loads = await Promise.allSettled(
      trained.map(async (target) => {
        await (target.preload?.() ?? target.open?.());
      }),
    );
    for (const load of loads) if (load.status === 'rejected') throw load.reason;
  }

  private listRoutes(): ListedModel[] {
    return this.table
      .list()
      .flatMap((route) => [
        this.entry(route, route.id, route.tiers[0]?.targets[0]?.state.target.model ?? route.id),
        ...route.aliases.map((alias) => this.entry(route, alias, route.id)),
      ]);
  }

  private entry(route: Route, id: string, root: string): ListedModel {
    const listed = { id, created: this.startedAt, ownedBy: ownerOf(route), root };
    const kind = kindOf(route);
    return kind === null ? listed : { ...listed, kind };
  }

  private replace(configuration: GatewayConfiguration): void {
    this.apply(configuration, this.table);
    this.isFileRefused = false;
    this.logger.log('The upstreams file was reloaded.');
  }

  /** The same configuration with the models that there are now. */
  private routeAgain(): void {
    this.apply(this.configuration, this.table);
    this.logger.log('The base models have changed.');
  }

  private apply(configuration: GatewayConfiguration, previous: RouteTable | null): void {
    const open = this.registry.open.bind(this.registry);
    this.table = new RouteTable(configuration, open, SYSTEM_CLOCK, previous);
    previous?.retire(this.table);
    this.configuration = configuration;
    this.settings.current = toSettings(configuration);
    this.missing.update(this.table.missing);
    this.keepRoutes(this.table.namedModels());
  }

  /** For `npm run models -- remove`. */
  private keepRoutes(namedModels: ReadonlyMap<string, readonly string[]>): void {
    this.keeping = this.keeping
      .then(() => writeModelRoutes(readDataDir(), this.file.path, namedModels))
      .catch((error: Error) =>
        this.logger.warn(`The routes' models are not kept for the command line: ${error.message}`),
      );
  }
}

const resolved = (
  route: Route,
  checkpoint: ResolvedModel['checkpoint'],
  projectId: ResolvedModel['projectId'],
  split: AliasSplit | null = null,
): ResolvedModel => ({
  route,
  checkpoint,
  projectId,
  split,
  isTrained: checkpoint !== null,
  fallbacks: [],
  assertFits: (request, readers) => assertFits(route, request, readers),
  countTokens: (request) => countTokens(route, request),
});

/** Null: it answers chats. */
const kindOf = (route: Route): ModelKind | null =>
  answers(route, CHAT) ? null : (MODEL_KINDS.find((kind) => ANSWERED[kind].some((one) => answers(route, one))) ?? null);

/** Hone owns what one of its own engines can answer; else the first upstream does. Without targets: Hone. */
function ownerOf({ tiers }: Route): string {
  const owners = tiers.flatMap(({ targets }) => targets.map(({ state }) => state.target.owner));
  return owners.includes(OWN) ? OWN : (owners[0] ?? OWN);
}
