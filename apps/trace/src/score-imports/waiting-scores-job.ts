import { hasRole } from '@hone/auth';
import { Database, isDatabaseUnavailable, sqlStateOf } from '@hone/database';
import { PeriodicJob, RefScheme } from '@hone/platform';
import { Injectable, Logger } from '@nestjs/common';

import { toScoreFeedback } from './score-feedback.js';
import { type LateDraft, ScoreWriter } from './score-writer.service.js';
import { type ArrivedScore, type TakenScore, WaitingScoresRepository } from './waiting-scores.repository.js';

const INTERVAL_MS = 2_000;
const AT_ONCE = 500;
/** A root that has not come by then is not of this project, such as the caller's of a service: the earliest call is judged. */
const ROOT_MS = 600_000;
/** Agents that run longer are judged when they are done. */
const KEPT_MS = 86_400_000;
/** What cannot be stored is tried again this much later. */
const RETRY_MS = 3_600_000;

/** Stores scores once their calls have come, and forgets those whose calls never do. */
@Injectable()
export class WaitingScoresJob extends PeriodicJob {
  private readonly logger = new Logger(WaitingScoresJob.name);

  constructor(
    private readonly waiting: WaitingScoresRepository,
    private readonly writer: ScoreWriter,
    private readonly database: Database,
    private readonly scheme: RefScheme,
  ) {
    super(INTERVAL_MS);
  }

  /** @returns how many waited no more */
  async run(now = Date.now()): Promise<number> {
    try {
      await this.waiting.deleteBefore(new Date(now - KEPT_MS));
      return await this.store(await this.waiting.findArrived(AT_ONCE, ROOT_MS));
    } catch (error) {
      this.logger.error(`Waiting scores were not looked after: ${reasonOf(error)}`);
      throw error;
    }
  }

  /** One score that cannot be stored does not keep the others: then each is stored by itself. */
  private async store(arrived: readonly ArrivedScore[]): Promise<number> {
    const [first, ...others] = arrived;
    if (!first) return 0;
    try {
      return await this.database.transaction(() => this.storeTogether(arrived));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (others.length === 0) return this.postpone(first, error);
    }
    let count = 0;
    for (const one of arrived) count += await this.store([one]);
    return count;
  }

  private async storeTogether(arrived: readonly ArrivedScore[]): Promise<number> {
    const taken = await this.waiting.take(arrived);
    const allowed = taken.filter(({ role }) => hasRole(role, 'annotator'));
    const dropped = taken.length - allowed.length;
    if (dropped > 0) this.logger.warn(`Scores of authors who may not annotate any more were dropped: ${dropped}`);
    await this.writer.writeLate(allowed.map((one) => this.draftOf(one)));
    return taken.length;
  }

  private async postpone(one: ArrivedScore, error: unknown): Promise<number> {
    this.logger.error(`The score ${JSON.stringify(one.id)} could not be stored: ${reasonOf(error)}`);
    await this.waiting.postpone(one, RETRY_MS);
    return 0;
  }

  private draftOf({ projectRowId, projectId, id, svcUserId, role, receivedAt, score, callId }: TakenScore): LateDraft {
    return {
      ...{ projectRowId, projectId, svcUserId, createdAt: receivedAt, hasClientId: true, id },
      sent: toScoreFeedback(score, projectId, callId, this.scheme.name),
      replacesAll: hasRole(role, 'writer'),
    };
  }
}

/** Messages may quote what people wrote. */
const reasonOf = (error: unknown): string => sqlStateOf(error) ?? (error instanceof Error ? error.name : 'unknown');
