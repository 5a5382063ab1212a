import { type Principal, ProjectAccess } from '@hone/auth';
import { toJsonDraft } from '@hone/calls';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { withEvents } from './event-content.js';
import type { LogEvent, SentEvent } from './log-records.js';
import { SpanEventRepository, type SpanKey } from './span-event.repository.js';

/** A span that was stored just now. */
interface StoredSpan {
  readonly projectId: string;
  readonly id: string;
  readonly start: { readonly traceId: string };
  /** Its messages may have come as log records. */
  readonly lacksMessages: boolean;
}

/**
 * Messages of requests to models that come as log records. They may come before their span or after it, through any
 * process: each side is committed first and then looks for the other, so that the later one finds both.
 */
@Injectable()
export class SpanEventService {
  constructor(
    private readonly events: SpanEventRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  /** Stores events, and adds them to the calls that their spans are. @throws AccessDeniedError */
  async store(author: Principal, events: readonly SentEvent[]): Promise<void> {
    await this.join(await this.insert(author, events));
  }

  /** Adds to calls that were stored just now the events that came before. */
  async joinSpans(author: Principal, spans: readonly StoredSpan[]): Promise<void> {
    const mayHave = spans.filter(({ lacksMessages }) => lacksMessages);
    const keys: SpanKey[] = [];
    for (const projectId of new Set(mayHave.map((span) => span.projectId))) {
      const projectRowId = await this.access.findReadable(author, 'trace', projectId);
      for (const span of mayHave)
        if (projectRowId !== null && span.projectId === projectId)
          keys.push({ projectRowId, traceId: span.start.traceId, spanId: span.id });
    }
    await this.join(keys);
  }

  private async insert(author: Principal, events: readonly SentEvent[]): Promise<SpanKey[]> {
    if (events.length === 0) return [];
    const projectIds = [...new Set(events.map(({ projectId }) => projectId))];
    const grants = await this.access.grantWrites(author, 'trace', projectIds, 'writer', true);
    return this.database.transaction(async () => {
      const spans = new Map<string, SpanKey>();
      for (const [projectId, grant] of grants) {
        const projectRowId = await this.access.rowIdFor(author, grant);
        const own = events.filter((event) => event.projectId === projectId);
        await this.events.insertAll(projectRowId, own);
        for (const { traceId, spanId } of own)
          spans.set(`${projectId} ${traceId} ${spanId}`, { projectRowId, traceId, spanId });
      }
      return [...spans.values()];
    });
  }

  private async join(spans: readonly SpanKey[]): Promise<void> {
    if (spans.length === 0) return;
    await this.database.transaction(async () => {
      for (const call of await this.events.lockCalls(spans)) {
        const { inputs, output } = withEvents(call, call.events, call.isJoined);
        if (inputs === call.inputs && output === call.output) continue;
        const [{ traceId, spanId }] = call.events as [LogEvent];
        const span = { projectRowId: call.projectRowId, traceId, spanId };
        await this.events.join(call, span, toJsonDraft(inputs), toJsonDraft(output));
      }
    });
  }
}
