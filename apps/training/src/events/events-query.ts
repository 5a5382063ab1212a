import { PageQueryDto, type TrainingJobEventsQueryDto } from '@hone/contracts';
import { checked } from '@hone/platform';
import type { FastifyRequest } from 'fastify';

import { type PageQuery, toPageQuery } from '../http/page.js';

/** What a request for events asks for. */
export interface EventsQuery extends PageQuery {
  /** How long the answer may wait for an event after the cursor; 0: not at all. */
  waitSeconds: number;
  /** As `text/event-stream` instead of a page. */
  isStream: boolean;
}

/** Reads query and headers; `Last-Event-ID` wins over `after`. @throws ValidationError it is no id */
export function readEventsQuery(query: TrainingJobEventsQueryDto, { headers, method }: FastifyRequest): EventsQuery {
  // A HEAD answers with the headers of the page: a stream would run without a reader.
  const isStream = method === 'GET' && /(^|[\s,])text\/event-stream($|[\s,;])/i.test(headers.accept ?? '');
  const lastEventId = headers['last-event-id'];
  const { after } = isStream && lastEventId ? checked(PageQueryDto, { after: lastEventId }, 'query') : query;
  return { ...toPageQuery({ ...query, after }), waitSeconds: query.wait ?? 0, isStream };
}
