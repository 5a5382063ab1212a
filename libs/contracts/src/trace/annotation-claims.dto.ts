import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { Nested } from '../validation/rule.js';
import { IsInteger, IsText } from '../validation/rules.js';
import { LEASE_SECONDS, QueueItemDto } from './annotation-queues.dto.js';

/** Body of `POST /annotation_queues/{queue_id}/items/claim`; the annotator is the caller. */
@Example({ project_id: 'acme/demo', lease_seconds: 600 })
export class ClaimDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** How long the item is reserved, in seconds, 10 to 86,400. Absent or null: as the queue says. */
  @IsOptional() @IsInteger(LEASE_SECONDS) lease_seconds?: number | null;
  /**
   * Id of an item that the caller is working on: another item is answered, so that it can be loaded meanwhile. The leases
   * of both stay. Absent or null: the item of a lease that the caller has comes first.
   */
  @IsOptional() @IsText() besides_item_id?: string | null;
}

/** A reservation of one item for one annotator. It ends when it expires, or when the item is completed or skipped. */
export class LeaseDto {
  /** Id of the lease. */
  @IsText() id!: string;
  /** When the lease expires unless it is renewed, ISO 8601 in UTC. */
  @IsDateTime() expires_at!: string;
}

/** Answer of `POST /annotation_queues/{queue_id}/items/claim`. */
export class ClaimResultDto {
  /** The item to annotate. Null: the queue has nothing for the caller now. */
  @IsOptional() @Nested(() => QueueItemDto) item!: QueueItemDto | null;
  /** Its lease. Null: there is no item. */
  @IsOptional() @Nested(() => LeaseDto) lease!: LeaseDto | null;
}

/** Body of `POST /annotation_queues/{queue_id}/items/{item_id}/lease/renew`. */
@Example({ project_id: 'acme/demo', lease_id: '019bc119-1388-7c00-8000-000000000001', lease_seconds: 600 })
export class LeaseRenewDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the caller's lease of this item. */
  @IsText() lease_id!: string;
  /** How long the item is reserved from now on, in seconds, 10 to 86,400. Absent or null: as the queue says. */
  @IsOptional() @IsInteger(LEASE_SECONDS) lease_seconds?: number | null;
}

/** Answer of `POST /annotation_queues/{queue_id}/items/{item_id}/lease/renew`. */
export class LeaseResultDto {
  /** The lease with its new end. */
  @Nested(() => LeaseDto) lease!: LeaseDto;
}

/** Body of `POST /annotation_queues/{queue_id}/items/{item_id}/lease/release`. */
@Example({ project_id: 'acme/demo', lease_id: '019bc119-1388-7c00-8000-000000000001' })
export class LeaseReleaseDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the caller's lease of this item. */
  @IsText() lease_id!: string;
}
