import { stringifyJson } from '@hone/contracts';
import type { JobEventRecord } from '@hone/training-jobs';

import { toTrainingJobEvent } from './event.mapper.js';
import type { JobState } from './job-feed.js';

/** Frames of a `text/event-stream`. JSON has no line breaks, so that each value is one `data` line. */
export const eventFrame = (event: JobEventRecord): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${stringifyJson(toTrainingJobEvent(event))}\n\n`;

/** Without an id: a client that resumes does so after the last event, not after this. */
export const statusFrame = ({ status, queuePosition, progress }: JobState): string =>
  `event: status\ndata: ${stringifyJson({ status, queue_position: queuePosition, progress })}\n\n`;

export const PING_FRAME = ': ping\n\n';

/** The last frame of a stream: `retry` makes a client that reconnects by itself wait. */
export const OVER_FRAME = 'retry: 3600000\n\n';
