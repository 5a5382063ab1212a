import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_PROJECTS = 1_000;
const MAX_MODELS = 200;

/**
 * Models that charts have found in projects, so that the next one has their prices at hand before it reads. A model that
 * is missing here costs a second read, nothing else.
 */
@Injectable()
export class KnownModels {
  private readonly byProject = new LRUCache<string, ReadonlySet<string>>({ max: MAX_PROJECTS });

  of(projectRowId: string): ReadonlySet<string> {
    return this.byProject.get(projectRowId) ?? new Set();
  }

  /** Of many, the newest are kept. */
  add(projectRowId: string, models: readonly string[]): void {
    const others = [...this.of(projectRowId)].filter((model) => !models.includes(model));
    this.byProject.set(projectRowId, new Set([...models, ...others].slice(0, MAX_MODELS)));
  }
}
