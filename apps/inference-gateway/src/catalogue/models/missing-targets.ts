import { Logger } from '@nestjs/common';

import type { MissingTarget } from '../routes/route-table.js';

/**
 * Targets of routes whose models are not installed or cannot be loaded. The gateway logs each once, and lists them in
 * the warnings of its readiness for as long as they are missing.
 */
export class MissingTargets {
  private readonly logger = new Logger('Routes');
  private targets: readonly MissingTarget[] = [];
  private logged: ReadonlySet<string> = new Set();

  /** @param reasonAgainst why a model that is in its folder cannot be loaded; null: it is not there */
  constructor(private readonly reasonAgainst: (model: string) => string | null) {}

  /** One sentence for each missing target. */
  get sentences(): string[] {
    return this.targets.map((target) => `The route '${target.route}' is without a target: ${this.reasonOf(target)}`);
  }

  update(targets: readonly MissingTarget[]): void {
    this.targets = targets;
    const { sentences } = this;
    for (const sentence of sentences) if (!this.logged.has(sentence)) this.logger.warn(sentence);
    this.logged = new Set(sentences);
  }

  /** Why a route has no target at all; null: no model is missing. */
  reasonsOf(route: string): string | null {
    const reasons = this.targets.filter((target) => target.route === route).map((target) => this.reasonOf(target));
    return reasons.length === 0 ? null : reasons.join(' ');
  }

  private reasonOf({ upstream, model }: MissingTarget): string {
    const reason = this.reasonAgainst(model);
    return reason === null ? `${upstream} has no model '${model}'.` : `${upstream} cannot load '${model}': ${reason}`;
  }
}
