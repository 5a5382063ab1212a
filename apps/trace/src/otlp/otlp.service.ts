import { ownProjectOf, type Principal } from '@hone/auth';
import { BodyThreads, contentOf, isHeavy, leaveSignal, outcomeOf, RefScheme, type RequestBody } from '@hone/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { CallWriteService } from '../calls/writes/call-write.service.js';
import { SpanEventService } from './events/span-event.service.js';
import { isProtobuf } from './otlp-error.filter.js';
import { EVENTS, type ExportTask, METRICS, type ReadExport, type SentExport, SPANS } from './otlp-exports.task.js';
import type { Rejected } from './rejections.js';

/** Protobuf packs more values into a byte than JSON: from here on another thread reads it. */
const HEAVY_PROTOBUF_BYTES = 262_144;

/** A request of an exporter, and where it is answered. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Takes what exporters send, in protobuf or JSON. */
@Injectable()
export class OtlpService {
  constructor(
    private readonly calls: CallWriteService,
    private readonly events: SpanEventService,
    private readonly threads: BodyThreads,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Stores spans as calls, all that can be stored.
   *
   * @throws ValidationError the bytes are no such request, or not one span could be stored
   * @throws AccessDeniedError
   */
  async storeSpans(author: Principal, exchange: Exchange): Promise<Rejected> {
    const { items, rejected } = await this.read(SPANS, exchange, ownProjectOf(author));
    await this.calls.saveSpans(author, items);
    await this.events.joinSpans(author, items);
    return rejected;
  }

  /**
   * Stores events of generative AI, and adds them to the calls that their spans are.
   *
   * @throws ValidationError the bytes are no such request, or not one event could be stored
   * @throws AccessDeniedError
   */
  async storeEvents(author: Principal, exchange: Exchange): Promise<Rejected> {
    const { items, rejected } = await this.read(EVENTS, exchange, ownProjectOf(author));
    await this.events.store(author, items);
    return rejected;
  }

  /** @throws ValidationError the JSON is no such request */
  async dropMetrics(exchange: Exchange): Promise<void> {
    if (!isProtobuf(exchange.request)) await this.read(METRICS, exchange, '');
  }

  private async read<Item>(
    task: ExportTask<Item>,
    { request, reply }: Exchange,
    ownProject: string,
  ): Promise<ReadExport<Item>> {
    const body = request.body as RequestBody;
    const isBinary = isProtobuf(request);
    const bytes = isBinary ? body.bytes : body.jsonBytes;
    const defaultProject = namedProjectOf(request) ?? ownProject;
    const sent: SentExport = { bytes, isProtobuf: isBinary, defaultProject, refScheme: this.refScheme.name };
    if (isBinary ? bytes.length <= HEAVY_PROTOBUF_BYTES : !isHeavy(bytes))
      return contentOf(outcomeOf(() => task.read(sent)));
    return task.unpack(contentOf(await this.threads.run(task, sent, { signal: leaveSignal(reply) })));
  }
}

/** The project of resources that name none, where a header says it. */
const namedProjectOf = ({ headers }: FastifyRequest): string | undefined =>
  (headers['hone-project'] ?? headers['project_id']) as string | undefined;
