import { Injectable } from '@nestjs/common';
import { toJsonDraft } from '@hone/calls';
import { memberOf } from '@hone/contracts';
import { ownProjectOf, type Principal, ProjectAccess } from '@hone/auth';
import { Database } from '@hone/database';

import type { OtlpRequest } from '../otlp-request.js';
import { projectOf } from '../projects.js';
import { type Rejected, Rejections } from '../rejections.js';
import type { SpanCall } from '../span-call.js';
import { withEvents } from './event-content.js';
import { type LogEvent, readLogEvents } from './log-records.js';
import { type SpanKey, SpanEventRepository } from './span-event.repository.js';

const NO_SPAN = 'an event of generative AI names no span: traceId or spanId is missing';

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

  /**
   * Stores events of generative AI, and adds them to the calls that their spans are. Other log records are dropped.
   *
   * @param defaultProject of resources that name none; null: that of the key
   * @throws ValidationError not one event could be stored
   * @throws AccessDeniedError
   */
  async store(author: Principal, request: OtlpRequest, defaultProject: string | null): Promise<Rejected> {
    const rejections = new Rejections();
    const byProject = new Map<string, LogEvent[]>();
    for (const { resource, events } of readLogEvents(request.value, request.idEncoding)) {
      const project = projectOf(resource, defaultProject ?? ownProjectOf(author));
      for (const event of events) {
        const problem = project.problem ?? (event ? null : NO_SPAN);
        if (problem === null && event) byProject.set(project.id, [...(byProject.get(project.id) ?? []), event]);
        else rejections.add(problem as string);
      }
    }
    const rejected = rejections.toResult(byProject.size);
    const spans = await this.#insert(author, byProject);
    await this.#join(spans);
    return rejected;
  }

  /** Adds to calls that were stored just now the events that came before. */
  async joinSpans(author: Principal, spans: readonly ({ projectId: string } & SpanCall)[]): Promise<void> {
    const mayHave = spans.filter(hasNoMessages);
    const keys: SpanKey[] = [];
    for (const projectId of new Set(mayHave.map((span) => span.projectId))) {
      const projectRowId = await this.access.findReadable(author, 'trace', projectId);
      for (const span of mayHave)
        if (projectRowId !== null && span.projectId === projectId)
          keys.push({ projectRowId, traceId: span.start.trace_id, spanId: span.id });
    }
    await this.#join(keys);
  }

  async #insert(author: Principal, byProject: ReadonlyMap<string, LogEvent[]>): Promise<SpanKey[]> {
    if (byProject.size === 0) return [];
    const grants = await this.access.grantWrites(author, 'trace', [...byProject.keys()], 'writer', true);
    return this.database.transaction(async () => {
      const spans = new Map<string, SpanKey>();
      for (const [projectId, grant] of grants) {
        const projectRowId = await this.access.rowIdFor(author, grant);
        const events = byProject.get(projectId) as LogEvent[];
        await this.events.insertAll(projectRowId, events);
        for (const { traceId, spanId } of events)
          spans.set(`${projectId} ${traceId} ${spanId}`, { projectRowId, traceId, spanId });
      }
      return [...spans.values()];
    });
  }

  async #join(spans: readonly SpanKey[]): Promise<void> {
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

/** A request to a model whose messages were not in its span. */
const hasNoMessages = ({ start, end }: SpanCall): boolean =>
  memberOf(start.attributes as never, 'gen_ai') !== undefined &&
  (memberOf(start.inputs as never, 'messages') === undefined || end?.output === null);
