import { Logger } from '@nestjs/common';
import { type BaseModelScan, BaseModelFolders, type BaseModelSources, type OpenBaseModelOptions } from '@hone/engine';

/** Folders are looked at, not listened to: those on mounted volumes announce nothing. */
const LOOK_MS = 1_000;

/** Knows which base models in local folders can be loaded, and logs why others cannot. */
export class BaseModelWatcher {
  private readonly log = new Logger('BaseModels');
  private readonly folders: BaseModelFolders;
  private known: readonly string[] = [];
  /** Id -> reason, as it was logged. */
  private logged = new Map<string, string>();
  private looking: NodeJS.Timeout | null = null;

  constructor(sources: BaseModelSources, options: OpenBaseModelOptions = {}) {
    this.folders = new BaseModelFolders(sources, options);
  }

  /** Ids at the last look, the bundled ones first. */
  get ids(): readonly string[] {
    return this.known;
  }

  /** Looks now. @returns whether other models can be loaded than before */
  async look(): Promise<boolean> {
    const { ids, refused } = await this.folders.scan();
    this.logRefused(refused);
    const hasChanged = ids.join('\n') !== this.known.join('\n');
    this.known = ids;
    return hasChanged;
  }

  /** Looks once a second, one look at a time. */
  start(onChange: () => void, lookMs = LOOK_MS): void {
    const again = () => {
      this.looking = setTimeout(() => void this.lookAgain(onChange).finally(() => this.looking && again()), lookMs);
      this.looking.unref();
    };
    again();
  }

  stop(): void {
    if (this.looking !== null) clearTimeout(this.looking);
    this.looking = null;
  }

  private async lookAgain(onChange: () => void): Promise<void> {
    try {
      if (await this.look()) onChange();
    } catch (error) {
      this.log.error(error);
    }
  }

  private logRefused(refused: BaseModelScan['refused']): void {
    for (const { id, reason } of refused) {
      if (this.logged.get(id) !== reason) this.log.warn(`The base model ${id} is not served: ${reason}`);
    }
    this.logged = new Map(refused.map(({ id, reason }) => [id, reason]));
  }
}
