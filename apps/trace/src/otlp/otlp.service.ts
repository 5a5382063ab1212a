import { Injectable } from '@nestjs/common';
import { ownProjectOf, type Principal } from '@hone/auth';

import { CallWriteService } from '../calls/writes/call-write.service.js';
import { SpanEventService } from './events/span-event.service.js';
import type { OtlpRequest } from './otlp-request.js';
import { readSpans } from './otlp-spans.js';
import { projectOf } from './projects.js';
import { type Rejected, Rejections } from './rejections.js';
import { type SpanCall, toCall } from './span-call.js';

const BAD_IDS = 'traceId or spanId is not 16 or 8 bytes, or all of them are zero';

@Injectable()
export class OtlpService {
  constructor(
    private readonly calls: CallWriteService,
    private readonly events: SpanEventService,
  ) {}

  /**
   * Stores spans as calls, all that can be stored.
   *
   * @param defaultProject of resources that name none; null: that of the key
   * @throws ValidationError not one span could be stored
   * @throws AccessDeniedError
   */
  async store(author: Principal, request: OtlpRequest, defaultProject: string | null): Promise<Rejected> {
    const stored: ({ projectId: string } & SpanCall)[] = [];
    const rejections = new Rejections();
    for (const group of readSpans(request.value, request.idEncoding)) {
      const project = projectOf(group.resource, defaultProject ?? ownProjectOf(author));
      for (const span of group.spans) {
        const problem = project.problem ?? (span ? null : BAD_IDS);
        if (problem === null && span) stored.push({ projectId: project.id, ...toCall(span, group) });
        else rejections.add(problem as string);
      }
    }
    const rejected = rejections.toResult(stored.length);
    await this.calls.saveSpans(author, stored);
    await this.events.joinSpans(author, stored);
    return rejected;
  }
}
