import type { FastifyRequest } from 'fastify';

import { type PageQuery, readPage } from '../http/page.js';
import { type Query, QueryValues } from '../http/query-values.js';

const MAX_WAIT_SECONDS = 25;

/** What a request for events asks for. */
export interface EventsQuery extends PageQuery {
  /** How long the answer may wait for an event after the cursor; 0: not at all. */
  waitSeconds: number;
  /** As `text/event-stream` instead of a page. */
  isStream: boolean;
}

/** Reads query and headers; `Last-Event-ID` wins over `after`. @throws ValidationError */
export function readEventsQuery(query: Query, { headers, method }: FastifyRequest): EventsQuery {
  // A HEAD answers with the headers of the page: a stream would run without a reader.
  const isStream = method === 'GET' && /(^|[\s,])text\/event-stream($|[\s,;])/i.test(headers.accept ?? '');
  const lastEventId = headers['last-event-id'];
  const values = new QueryValues(isStream && lastEventId ? { ...query, after: lastEventId } : query);
  const page = readPage(values);
  const waitSeconds = values.integer('wait', 0, MAX_WAIT_SECONDS) ?? 0;
  values.assertValid();
  return { ...page, waitSeconds, isStream };
}
