import type { Principal } from '@hone/auth';
import type { AgreementQueryDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { QueueAccess } from '../queue-access.js';
import type { Agreement } from './agreement-answer.js';
import { CohenKappa } from './cohen-kappa.js';
import { FleissKappa } from './fleiss-kappa.js';
import { KrippendorffAlpha } from './krippendorff-alpha.js';
import type { RatedItem } from './rating.js';
import { RatingRepository } from './rating.repository.js';
import { turns } from './turns.js';

/** How well the annotators of a queue agree. */
@Injectable()
export class AgreementService {
  constructor(
    private readonly queues: QueueAccess,
    private readonly ratings: RatingRepository,
  ) {}

  /**
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError
   * @throws QueryTimeoutError there is too much to compare
   */
  async compute(caller: Principal, queueId: string, query: AgreementQueryDto): Promise<Agreement> {
    const { project_id: projectId, name, level = 'nominal' } = query;
    const { projectRowId } = await this.queues.get(caller, projectId, queueId, 'reader');
    const source = { projectRowId, projectId, queueId, name };
    const pause = turns();
    const [cohen, fleiss, alpha] = [new CohenKappa(), new FleissKappa(), new KrippendorffAlpha(level)];
    const annotators = new Set<string>();
    const disagreements: { id: string; createdAt: Date }[] = [];
    let items = 0;
    await this.ratings.stream(source, async (item, createdAt) => {
      items++;
      for (const { annotator } of item.ratings) annotators.add(annotator);
      if (item.ratings.some(({ value }) => value !== item.ratings[0]?.value))
        disagreements.push({ id: item.id, createdAt });
      await addPairs(cohen, item, pause);
      fleiss.add(item);
      alpha.add(item);
    });
    disagreements.sort((x, y) => x.createdAt.getTime() - y.createdAt.getTime() || (x.id < y.id ? -1 : 1));
    return {
      items,
      annotators: annotators.size,
      pairs: await cohen.pairs(pause),
      fleiss_kappa: fleiss.kappa(),
      krippendorff_alpha: await alpha.alpha(pause),
      disagreements: disagreements.map(({ id }) => id),
    };
  }
}

/** Every two ratings of an item; there may be very many. */
async function addPairs(cohen: CohenKappa, { ratings }: RatedItem, pause: () => Promise<void>): Promise<void> {
  for (const [at, one] of ratings.entries()) {
    for (let next = at + 1; next < ratings.length; next++) cohen.add(one, ratings[next] as (typeof ratings)[number]);
    await pause();
  }
}
