import type { Principal } from '@hone/auth';
import type {
  ClaimDto,
  ClaimResultDto,
  EmptyResultDto,
  LeaseReleaseDto,
  LeaseRenewDto,
  LeaseResultDto,
} from '@hone/contracts';
import { Database, newId } from '@hone/database';
import type { QueueRules } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import { type Claimant, ClaimRepository } from './claim.repository.js';
import { ItemLocks } from './item-locks.js';
import { type ItemKey, ProgressRepository } from './progress.repository.js';
import { LeaseLostError, NotAssignedError, QueueItemNotFoundError } from './queue.errors.js';
import { toLease, toQueueItem } from './queue.mapper.js';
import type { ItemWork, ProgressRecord } from './queue.record.js';
import { QueueAccess } from './queue-access.js';
import { hasFreeSlot, holdsSlot, isFinished, mayAnnotate, mayClaim } from './review-slots.js';

/** Each try that fails means that another annotator got an item, so this many in a row mean a defect. */
const MAX_TRIES = 1_000;
const NOTHING: ClaimResultDto = { item: null, lease: null };

/** Gives annotators items, each on a lease, so that no item gets more annotators than its queue allows. */
@Injectable()
export class ClaimService {
  constructor(
    private readonly queues: QueueAccess,
    private readonly locks: ItemLocks,
    private readonly progress: ProgressRepository,
    private readonly claims: ClaimRepository,
    private readonly database: Database,
  ) {}

  /**
   * The item of the caller's own lease, prolonged; else one that is assigned to the caller, else the oldest with a free
   * slot. Never one that the caller has completed or skipped, nor the one besides which the caller asks for another.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError
   */
  async claim(annotator: Principal, queueId: string, body: ClaimDto): Promise<ClaimResultDto> {
    const { project_id: projectId } = body;
    const { userId } = annotator;
    const { projectRowId, queue } = await this.queues.get(annotator, projectId, queueId, 'annotator');
    const claimant = { projectRowId, queueId, userId, besidesItemId: body.besides_item_id ?? '' };
    return this.database.transaction(async () => {
      await this.claims.lockClaimant(claimant);
      const work = (await this.leased(claimant, projectId)) ?? (await this.next(claimant, projectId, queue));
      if (!work) return NOTHING;
      const leaseId = work.own?.leaseId ?? newId();
      const key = { projectRowId, queueId, itemId: work.item.id };
      const own = await this.progress.lease(key, userId, leaseId, body.lease_seconds ?? work.queue.leaseSeconds);
      return { item: toQueueItem(projectId, work.item, own), lease: toLease(own) };
    });
  }

  /**
   * Reserves the item for longer; a lease never becomes shorter.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError, NotAssignedError
   * @throws LeaseLostError it has expired, or is another's
   */
  async renew(annotator: Principal, queueId: string, itemId: string, body: LeaseRenewDto): Promise<LeaseResultDto> {
    return this.withLease(annotator, queueId, itemId, body, async (key, work) => {
      if (!mayAnnotate(work)) throw new NotAssignedError(itemId);
      const seconds = body.lease_seconds ?? work.queue.leaseSeconds;
      return { lease: toLease(await this.progress.lease(key, annotator.userId, body.lease_id, seconds)) };
    });
  }

  /**
   * Ends a lease: the slot is free at once, and an item in progress is unstarted again.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, QueueNotFoundError, QueueItemNotFoundError
   * @throws LeaseLostError it has expired, or is another's
   */
  async release(annotator: Principal, queueId: string, itemId: string, body: LeaseReleaseDto): Promise<EmptyResultDto> {
    return this.withLease(annotator, queueId, itemId, body, async (key, _work, own) => {
      const ended = { leaseId: null, leaseExpiresAt: null, state: 'unstarted' as const, updatedAt: new Date() };
      await this.progress.save(key, { ...own, ...ended });
      return {};
    });
  }

  /** Does the work under the item's lock, while the caller holds the lease. */
  private async withLease<Answer>(
    annotator: Principal,
    queueId: string,
    itemId: string,
    { project_id: projectId, lease_id: leaseId }: LeaseReleaseDto,
    work: (key: ItemKey, found: ItemWork, own: ProgressRecord) => Promise<Answer>,
  ): Promise<Answer> {
    const { projectRowId } = await this.queues.get(annotator, projectId, queueId, 'annotator');
    const key = { projectRowId, queueId, itemId };
    return this.database.transaction(async () => {
      const found = await this.locks.lock(key, projectId, annotator.userId);
      if (found.own?.leaseId !== leaseId) throw new LeaseLostError(leaseId, itemId);
      return work(key, found, found.own);
    });
  }

  /** The item of the caller's own lease, locked; null: there is none. */
  private async leased(claimant: Claimant, projectId: string): Promise<ItemWork | null> {
    const itemId = await this.claims.findLeased(claimant);
    const work = itemId === null ? null : await this.lock(claimant, itemId, projectId);
    return work && typeof work.own?.leaseId === 'string' && mayClaim(work) ? work : null;
  }

  /**
   * The next item for the caller, locked. It passes by items that others have locked, and waits for one of these only
   * when there is no other: the last slots are given, too.
   */
  private async next(claimant: Claimant, projectId: string, known: QueueRules): Promise<ItemWork | null> {
    let rules = known;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await this.claims.mark();
      const itemId =
        (await this.claims.lockCandidate(claimant, rules, false)) ??
        (await this.claims.lockCandidate(claimant, rules, true));
      if (itemId === null) return null;
      const work = await this.lock(claimant, itemId, projectId);
      if (work && mayClaim(work) && !(work.own && isFinished(work.own)) && (holdsSlot(work.own) || hasFreeSlot(work)))
        return work;
      await this.claims.rollBack();
      rules = work?.queue ?? rules;
    }
    return null;
  }

  /** Locks an item that was found before; null: it was removed meanwhile. */
  private async lock(
    { projectRowId, queueId, userId }: Claimant,
    itemId: string,
    projectId: string,
  ): Promise<ItemWork | null> {
    try {
      return await this.locks.lock({ projectRowId, queueId, itemId }, projectId, userId);
    } catch (error) {
      if (error instanceof QueueItemNotFoundError) return null;
      throw error;
    }
  }
}
