import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { SpanEventRepository } from './span-event.repository.js';

const INTERVAL_MS = 600_000;
/** Longer than exporters try again, and than most requests to models run. */
const KEPT_MS = 2_700_000;

/** Deletes events of spans within an hour of their arrival: what their calls have of them is deleted with these. */
@Injectable()
export class SpanEventJob extends PeriodicJob {
  constructor(private readonly events: SpanEventRepository) {
    super(INTERVAL_MS);
  }

  /** @returns how many were deleted */
  run(now = Date.now()): Promise<number> {
    return this.events.deleteBefore(new Date(now - KEPT_MS));
  }
}
