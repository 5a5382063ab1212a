import type { Principal } from '@hone/auth';
import { type AuditListDto, type AuditQueryDto, DEFAULT_AUDIT_LIMIT } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { assertAccountScope } from '../access/caller.js';
import { toAuditEntryDto } from './audit.mapper.js';
import { AuditRepository } from './audit.repository.js';

@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  /**
   * What was changed, newest first: an admin sees everything, others what they did themselves. A key that is bound to a
   * project shows what of this is about the project.
   *
   * @throws AccessDeniedError the key lacks the scope
   */
  async list(caller: Principal, query: AuditQueryDto): Promise<AuditListDto> {
    assertAccountScope(caller);
    const { limit = DEFAULT_AUDIT_LIMIT, after, actor, action } = query;
    const [from, to] = [query.from, query.to].map((time) => (time === undefined ? undefined : new Date(time)));
    const visible = { actorId: caller.isAdmin ? null : caller.userId, projectId: caller.onlyProject };
    const found = await this.entries.list({ limit: limit + 1, after, actor, action, from, to }, visible);
    return { data: found.slice(0, limit).map(toAuditEntryDto), has_more: found.length > limit };
  }
}
