import type { ConfigurationListener } from '../configuration/configuration-watcher.js';
import type { GatewayConfiguration } from '../configuration/gateway-configuration.js';
import { type Clock, SYSTEM_CLOCK } from '../upstreams/clock.js';

import { type EmbeddedTargets, RouteTable } from './route-table.js';

/** The routes of the moment. A request keeps the route that it began with. */
export class LiveRoutes implements ConfigurationListener {
  /** How often the configuration was read again, for metrics. */
  readonly reloads = { applied: 0, refused: 0 };
  private table: RouteTable;

  /**
   * @param onRefusal tells why a changed file is not used
   * @throws ConfigurationError
   */
  constructor(
    public configuration: GatewayConfiguration,
    private readonly embedded: EmbeddedTargets,
    private readonly onRefusal: (error: Error) => void,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {
    this.table = new RouteTable(configuration, embedded, clock);
  }

  get current(): RouteTable {
    return this.table;
  }

  onConfiguration(configuration: GatewayConfiguration): void {
    this.table = new RouteTable(configuration, this.embedded, this.clock, this.table);
    this.configuration = configuration;
    this.reloads.applied++;
  }

  onRefused(error: Error): void {
    this.reloads.refused++;
    this.onRefusal(error);
  }
}
