import type { Clock } from '../../shared/time/clock.js';
import type { HttpModel } from '../http/http-settings.js';
import { HttpTarget } from '../http/http-target.js';
import { HttpUpstream } from '../http/http-upstream.js';
import type { ChatRequest, Target } from '../target.js';
import type { HeldAdapters, TrainedWeights } from '../upstream.js';
import { adapterName } from './adapter.js';
import type { AdapterFolder } from './adapter-folder.js';
import { AdapterLoader } from './adapter-loader.js';
import { AdapterPool, type AdapterPoolOptions } from './adapter-pool.js';
import { AdapterServer } from './adapter-server.js';
import type { VllmUpstreamSettings } from './adapter-settings.js';
import { AdapterTarget } from './adapter-target.js';

/** A vLLM server into which adapters are loaded while it runs. */
export class VllmUpstream extends HttpUpstream {
  readonly adapters: AdapterPool;

  constructor(
    private readonly settings: VllmUpstreamSettings,
    folder: AdapterFolder,
    private readonly clock: Clock,
    onEvent: AdapterPoolOptions['onEvent'],
  ) {
    super(settings, clock);
    const { maxLoaded, loadMs, pathMap } = settings.adapters;
    const loader = new AdapterLoader(new AdapterServer(this.server, loadMs), folder, pathMap);
    this.adapters = new AdapterPool(loader, folder, { maxLoaded, loadMs, onEvent }, clock);
  }

  loadsTrained(baseModel: string): boolean {
    return this.settings.adapters.bases.includes(baseModel);
  }

  trainedTarget({ pinned, baseModel, modelId, step, checkpoint }: TrainedWeights): Target {
    const model = this.settings.models.find(({ name }) => name === baseModel) as HttpModel;
    if (checkpoint === null) return new HttpTarget(this.server, model, this.clock, pinned);
    const adapter = { name: adapterName(modelId, step), modelId, step, base: baseModel, checkpoint };
    const target = new HttpTarget(this.server, { ...model, name: adapter.name }, this.clock, pinned);
    const nothing = ({ promptSize }: ChatRequest) => this.server.estimate.of(promptSize, 0);
    return new AdapterTarget(target, pinned, adapter, this.adapters, nothing);
  }

  heldAdapters(): HeldAdapters {
    return { max: this.settings.adapters.maxLoaded, list: this.adapters.list() };
  }

  retire(): void {
    this.adapters.close();
  }

  override async close(): Promise<void> {
    this.retire();
    await super.close();
  }
}
