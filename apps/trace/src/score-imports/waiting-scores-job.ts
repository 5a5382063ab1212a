import { Database } from '@hone/database';
import { PeriodicJob, RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { feedbackIdOf, toScoreFeedback } from './score-feedback.js';
import { ScoreWriter } from './score-writer.service.js';
import { type ArrivedScore, WaitingScoresRepository } from './waiting-scores.repository.js';

const INTERVAL_MS = 2_000;
const AT_ONCE = 500;
/** A root that has not come by then is not of this project, such as the caller's of a service: the earliest call is judged. */
const ROOT_MS = 600_000;
/** Agents that run longer are judged when they are done. */
const KEPT_MS = 86_400_000;

/** Stores scores once their calls have come, and forgets those whose calls never do. */
@Injectable()
export class WaitingScoresJob extends PeriodicJob {
  constructor(
    private readonly waiting: WaitingScoresRepository,
    private readonly writer: ScoreWriter,
    private readonly database: Database,
    private readonly scheme: RefScheme,
  ) {
    super(INTERVAL_MS);
  }

  /** @returns how many were stored */
  async run(now = Date.now()): Promise<number> {
    const stored = await this.database.transaction(async () => {
      const arrived = await this.waiting.takeArrived(AT_ONCE, ROOT_MS);
      await this.writer.writeLate(arrived.map((one) => this.draftOf(one)));
      return arrived.length;
    });
    await this.waiting.deleteBefore(new Date(now - KEPT_MS));
    return stored;
  }

  private draftOf({ projectRowId, projectId, svcUserId, receivedAt, score, callId }: ArrivedScore) {
    return {
      ...{ projectRowId, projectId, svcUserId, createdAt: receivedAt, hasClientId: true, id: feedbackIdOf(score) },
      sent: toScoreFeedback(score, projectId, callId, this.scheme.name),
    };
  }
}
