import type { ScorerKinds } from '../kinds/kinds.js';
import type { Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import type { VersionKey } from '../stored-objects/stored-objects.service.js';
import type { Claim, LeasedJob } from './claim.record.js';
import type { LeasedItemsRepository } from './leased-items.repository.js';
import { QueueWorker } from './queue-worker.js';

/** A job in which scorers judge what models answer. */
export interface AnswerJob extends LeasedJob {
  readonly plan: { readonly scorers: readonly VersionKey[] };
}

/** An answer that this process is to get, or a scorer's judgement of one. */
export interface AnswerClaim extends Claim {
  /** 0: the answer; 1 and more: what this scorer of the plan finds. */
  readonly scorer: number;
}

/** The items of jobs in which scorers judge what models answer. */
export interface AnswerItems<J extends AnswerJob, C extends AnswerClaim> extends LeasedItemsRepository<C> {
  /**
   * Claims items, as many as the job may have in flight.
   *
   * @param free numbers of the scorers that cost nothing
   * @returns null: the budget is spent
   */
  claimOf(job: J, most: number, free: readonly number[]): Promise<C[] | null>;
}

/** Has models asked, and what they answer judged by scorers. */
export abstract class AnswerWorker<J extends AnswerJob, C extends AnswerClaim> extends QueueWorker<J, C> {
  protected constructor(
    private readonly answerItems: AnswerItems<J, C>,
    slots: number,
    private readonly scorers: ScorerReader,
    private readonly kinds: ScorerKinds,
  ) {
    super(answerItems, slots);
  }

  /** Asks for what a claim stands for, and settles it. */
  protected abstract ask(job: J, claim: C, signal: AbortSignal): Promise<void>;

  /** Has a scorer judge answers, and settles what it finds. @param claims of this scorer */
  protected abstract score(job: J, scorer: Scorer, claims: readonly C[], signal: AbortSignal): Promise<void>;

  /**
   * Starts items of a job.
   *
   * @returns how many; null: the budget is spent
   * @throws ScorerNotFoundError, ScorerNotDefinedError
   */
  protected async startItems(job: J, slots: number): Promise<number | null> {
    const project = { id: job.projectId, rowId: job.projectRowId };
    const scorers = await Promise.all(job.plan.scorers.map((version) => this.scorers.readKnown(project, version)));
    const checks = scorers.flatMap(({ definition }, at) => (definition.kind === 'check' ? [at + 1] : []));
    const claims = await this.answerItems.claimOf(job, slots, checks);
    if (claims === null) return null;
    for (const claim of claims.filter(({ scorer }) => scorer === 0))
      this.launch(job, [claim], (signal) => this.ask(job, claim, signal));
    for (const [at, scorer] of scorers.entries()) {
      const own = claims.filter((claim) => claim.scorer === at + 1);
      const { batchSize } = this.kinds.of(scorer.definition.kind);
      this.launchBatches(job, own, batchSize, (batch, signal) => this.score(job, scorer, batch, signal));
    }
    return claims.length;
  }
}
