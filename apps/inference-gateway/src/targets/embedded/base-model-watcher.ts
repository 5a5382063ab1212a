import { isDeepStrictEqual } from 'node:util';

import { BaseModelFolders, type BaseModelScan, type BaseModelSources, type OpenBaseModelOptions } from '@hone/engine';
import { Logger } from '@nestjs/common';

/** Folders are looked at, not listened to: those on mounted volumes announce nothing. */
const LOOK_MS = 1_000;

/** Knows which base models in local folders can be loaded, and logs why others cannot. */
export class BaseModelWatcher {
  private readonly log = new Logger('BaseModels');
  private readonly folders: BaseModelFolders;
  private known: readonly string[] = [];
  private embedding: readonly string[] = [];
  /** Id -> reason, as it was logged. */
  private logged = new Map<string, string>();
  private onChange: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();
  /** The look after the one that runs. */
  private next: Promise<void> | null = null;

  /** @param afterLook does what a look at the folders is an occasion for */
  constructor(
    sources: BaseModelSources,
    options: OpenBaseModelOptions = {},
    private readonly afterLook: () => Promise<void> = async () => undefined,
  ) {
    this.folders = new BaseModelFolders(sources, options);
  }

  /** Ids at the last look, the bundled ones first. */
  get ids(): readonly string[] {
    return this.known;
  }

  /** Whether a model embeds texts, as of the last look. */
  isEmbedding(id: string): boolean {
    return this.embedding.includes(id);
  }

  /** Why the model in a folder cannot be loaded, as of the last look; null: it can be, or there is none. */
  reasonAgainst(id: string): string | null {
    return this.logged.get(id) ?? null;
  }

  /** Looks now. @returns whether other models can be loaded than before */
  async look(): Promise<boolean> {
    const { ids, refused } = await this.folders.scan();
    this.logRefused(refused);
    const embedding = ids.filter((id) => this.folders.isEmbedding(id));
    const hasChanged = !isDeepStrictEqual([ids, embedding], [this.known, this.embedding]);
    this.known = ids;
    this.embedding = embedding;
    await this.afterLook();
    return hasChanged;
  }

  /** Looks once a second. @param onChange called when other models can be loaded than before */
  start(onChange: () => void, lookMs = LOOK_MS): void {
    this.onChange = onChange;
    const again = () => {
      this.timer = setTimeout(() => void this.lookNow().then(() => this.timer && again()), lookMs);
      this.timer.unref();
    };
    again();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.onChange = null;
  }

  /** Looks at all folders once more, after a look that is under way. Callers that wait at the same time share one look. */
  lookNow(): Promise<void> {
    this.next ??= this.looking.then(() => {
      this.next = null;
      this.looking = this.lookAgain();
      return this.looking;
    });
    return this.next;
  }

  private async lookAgain(): Promise<void> {
    try {
      if (await this.look()) this.onChange?.();
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
