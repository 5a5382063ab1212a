import { Injectable } from '@nestjs/common';
import type { Principal } from '@hone/auth';
import type { AuditListDto } from '@hone/contracts';

import { assertAccountScope } from '../access/caller.js';
import { toAuditEntryDto } from './audit.mapper.js';
import { readAuditPage } from './audit-page.js';
import { AuditRepository } from './audit.repository.js';

@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  /**
   * What was changed, newest first: an admin sees everything, others what they did themselves.
   *
   * @throws ValidationError a wrong `limit` or `after`
   * @throws AccessDeniedError the key lacks the scope
   */
  async list(caller: Principal, query: Record<string, unknown>): Promise<AuditListDto> {
    const page = readAuditPage(query);
    assertAccountScope(caller);
    const oneMore = { ...page, limit: page.limit + 1 };
    const found = await this.entries.list(oneMore, caller.isAdmin ? undefined : caller.userId);
    return { data: found.slice(0, page.limit).map(toAuditEntryDto), has_more: found.length > page.limit };
  }
}
