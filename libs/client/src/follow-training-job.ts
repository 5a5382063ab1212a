import type { TrainingJobEventDto } from '@hone/contracts';

import { ConnectionError } from './errors/hone-error.js';
import { serverSentEvents } from './streams/server-sent-events.js';
import type { RequestOptions } from './transport/request-options.js';
import { sleep } from './transport/retries.js';
import type { Transport } from './transport/transport.js';

const PAUSE_MS = 1_000;
const LAST_EVENTS = ['training_ended', 'training_failed'];

/** Where a job stands; comes when that changes. */
export interface TrainingJobStanding {
  readonly status: string;
  /** Jobs before this one. Null: it does not wait. */
  readonly queue_position: number | null;
  readonly progress: {
    readonly gradient_steps_done: number;
    readonly gradient_steps_total: number | null;
    readonly fraction: number | null;
    readonly phase: string | null;
  };
}

export type TrainingJobUpdate =
  | { readonly kind: 'event'; readonly event: TrainingJobEventDto }
  | { readonly kind: 'standing'; readonly standing: TrainingJobStanding };

/**
 * What happens in a training job, from its first event to its last, each once. A connection that breaks is opened
 * again behind the last event that came, for as long as the signal allows.
 */
export async function* followTrainingJob(
  transport: Transport,
  id: string,
  options: RequestOptions = {},
): AsyncGenerator<TrainingJobUpdate, void, undefined> {
  const path = `/v1/preview/training-jobs/${encodeURIComponent(id)}/events`;
  let lastId = '';
  for (;;) {
    const headers = { ...options.headers, ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
    const request = { method: 'GET', path, accept: 'text/event-stream', isRepeatable: true };
    const { body } = await transport.open({ ...request, options: { ...options, headers } });
    try {
      for await (const { event, data, id: eventId } of serverSentEvents(body as ReadableStream<Uint8Array>)) {
        if (event === 'status') {
          yield { kind: 'standing', standing: transport.parse<TrainingJobStanding>(data) };
          continue;
        }
        lastId = eventId;
        yield { kind: 'event', event: transport.parse<TrainingJobEventDto>(data) };
        if (LAST_EVENTS.includes(event)) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    await sleep(PAUSE_MS, options.signal);
  }
}
