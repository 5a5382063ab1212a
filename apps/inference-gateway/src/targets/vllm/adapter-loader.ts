import { notLoaded } from './adapter.errors.js';
import type { Adapter } from './adapter.js';
import { type AdapterFolder, pathAtServer } from './adapter-folder.js';
import type { AdapterServer } from './adapter-server.js';

export interface LoadEvents {
  /** The server has no slot left, although it should: frees one, if one is idle. */
  makeRoom(): Promise<void>;
  /** The server has it; the probe begins. */
  onLoaded(): void;
}

/** Brings adapters into one server and out of it. */
export class AdapterLoader {
  constructor(
    private readonly server: AdapterServer,
    private readonly folder: AdapterFolder,
    private readonly pathMap: readonly (readonly [string, string])[],
  ) {}

  /** Names of the server's models. @throws AdapterError */
  async list(): Promise<Set<string>> {
    return new Set((await this.server.list()).keys());
  }

  /** Afterwards the server answers under the adapter's name. @throws AdapterError */
  async load(adapter: Adapter, events: LoadEvents): Promise<void> {
    await this.loadOnce(adapter, events);
    events.onLoaded();
    try {
      await this.server.probe(adapter.name, adapter.base);
    } catch (error) {
      await this.unload(adapter.name).catch(() => undefined);
      throw error;
    }
  }

  /** @throws AdapterError */
  unload(name: string): Promise<void> {
    return this.server.unload(name);
  }

  private async loadOnce(adapter: Adapter, { makeRoom }: LoadEvents): Promise<void> {
    let result = await this.tryLoad(adapter);
    if (result === 'no_slot') {
      await makeRoom();
      result = await this.tryLoad(adapter);
    }
    // Another process may have removed the files between their copy and the load.
    if (result === 'no_folder') result = await this.tryLoad(adapter);
    if (result === 'no_folder') {
      throw notLoaded('The server does not see the folder of the adapter: lora.adapter_path_map or a volume is wrong.');
    }
    if (result === 'no_slot') throw notLoaded('The server has no slot left for adapters.');
  }

  private async tryLoad(adapter: Adapter): ReturnType<AdapterServer['load']> {
    const path = await this.folder.put(adapter);
    return this.server.load(adapter.name, pathAtServer(path, this.pathMap));
  }
}
