import { statSync } from 'node:fs';

import { Environment } from '@hone/platform';
import { readSource } from '@hone/platform/configuration-file';

import type { GatewayConfiguration } from './gateway-configuration.js';
import { DEFAULT_CONFIGURATION, readConfiguration } from './read-configuration.js';

/** The upstreams file, as it is at the moment. */
export class UpstreamsFile {
  /** Null: there is none, and the embedded engine serves alone. */
  readonly path: string | null;
  /** What the file was when it was read last. */
  private lastState = '';

  constructor(private readonly environment = new Environment()) {
    this.path = environment.optional('HONE_UPSTREAMS', 'the path of a YAML or JSON file', () => true) ?? null;
  }

  /**
   * Reads it now.
   *
   * @throws ConfigurationError it is not there, or wrong
   */
  read(): GatewayConfiguration {
    if (this.path === null) return DEFAULT_CONFIGURATION;
    // Before the text: a change between the two is seen again, not missed.
    this.lastState = stateOf(this.path);
    return readConfiguration(this.path, readSource(this.path), (name) =>
      this.environment.optional(name, 'the key of an upstream', () => true),
    );
  }

  /** It was replaced, written or removed since it was read. */
  get hasChanged(): boolean {
    return this.path !== null && stateOf(this.path) !== this.lastState;
  }
}

function stateOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'absent' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
