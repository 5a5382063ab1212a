import { type Principal, ProjectAccess } from '@hone/auth';
import {
  type FeedbackPayloadSchemaDto,
  type FeedbackPayloadSchemaResultDto,
  parseDateTime,
  withoutScheme,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { PayloadSchemaRepository } from './payload-schema.repository.js';

const DEFAULT_SAMPLE = 2_000;

@Injectable()
export class PayloadSchemaService {
  constructor(
    private readonly schemas: PayloadSchemaRepository,
    private readonly access: ProjectAccess,
  ) {}

  /** What recent payloads are made of. An unknown project has none. @throws AccessDeniedError */
  async read(caller: Principal, body: FeedbackPayloadSchemaDto): Promise<FeedbackPayloadSchemaResultDto> {
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (projectRowId === null) return { paths: [] };
    const paths = await this.schemas.list(projectRowId, {
      start: timeOf(body.start),
      end: timeOf(body.end),
      feedbackType: body.feedback_type ?? undefined,
      triggerRef: body.trigger_ref ? withoutScheme(body.trigger_ref) : undefined,
      limit: body.sample_limit ?? DEFAULT_SAMPLE,
    });
    return { paths };
  }
}

const timeOf = (text: string | null | undefined): Date | undefined =>
  text ? (parseDateTime(text) as Date) : undefined;
