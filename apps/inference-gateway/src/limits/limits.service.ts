import {
  AccessDeniedError,
  ApiKeyNotFoundError,
  AuditLog,
  mayManageKey,
  ownProjectOf,
  type Principal,
  ProjectAccess,
} from '@hone/auth';
import type { UsageLimitsDto, UsageLimitsPutDto, UsageLimitsQueryDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { NO_LIMITS, type Subject } from '../metering/limits/limits.js';
import { LimitsRepository } from '../metering/limits/limits.repository.js';
import { type NamedSubject, readSubject, type SubjectSpent } from './limited-subject.js';
import { LimitedSubjectsRepository } from './limited-subjects.repository.js';
import { toLimits, toUsageLimitsDto } from './limits.mapper.js';
import { assertModelBudgets } from './model-budgets.js';

const NOTHING_SPENT: SubjectSpent = { inMonth: 0n, today: 0n, onModels: new Map() };

/** Reads and sets the limits of projects and keys. */
@Injectable()
export class LimitsService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly subjects: LimitedSubjectsRepository,
    private readonly limits: LimitsRepository,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Returns the limits of a project to its readers, and those of a key to its user.
   *
   * @throws ValidationError a wrong parameter
   * @throws AccessDeniedError, ProjectNotFoundError, ApiKeyNotFoundError
   */
  async read(caller: Principal, query: UsageLimitsQueryDto): Promise<UsageLimitsDto> {
    const named = readSubject(query, ownProjectOf(caller));
    if (named.key === null) {
      const id = await this.access.getReadableOrOwn(caller, 'inference', named.project);
      return id === null
        ? toUsageLimitsDto(named, NO_LIMITS, NOTHING_SPENT)
        : this.answer(named, { scope: 'project', id });
    }
    if (!caller.scopes.has('inference')) throw AccessDeniedError.needsScope('inference');
    return this.answer(named, await this.keyOf(caller, named.key));
  }

  /**
   * Sets all limits; every gateway applies them within a second. A missing project is created.
   *
   * @throws ValidationError a wrong parameter
   * @throws AccessDeniedError the caller is no admin, or the key lacks the scope `account` or is bound to a project
   * @throws ApiKeyNotFoundError
   */
  async put(caller: Principal, query: UsageLimitsQueryDto, body: UsageLimitsPutDto): Promise<UsageLimitsDto> {
    const named = readSubject(query, ownProjectOf(caller));
    assertOperator(caller);
    const limits = toLimits(body);
    assertModelBudgets(limits.modelBudgets);
    const subject = await this.database.transaction(async () => {
      const found = await this.subjectOf(caller, named);
      await this.limits.put(found, limits);
      const action = 'usage_limits.put';
      await this.audit.add({
        actorId: caller.userId,
        action,
        subject: named.key ?? named.project,
        projectId: named.key === null ? named.project : null,
        detail: detailOf(body),
      });
      return found;
    });
    return this.answer(named, subject);
  }

  private async subjectOf(caller: Principal, named: NamedSubject): Promise<Subject> {
    if (named.key !== null) return this.keyOf(caller, named.key);
    const grant = await this.access.grantWrite(caller, 'account', named.project, 'owner');
    return { scope: 'project', id: await this.access.rowIdFor(caller, grant) };
  }

  /** A key that the caller may not manage does not exist for them. */
  private async keyOf(caller: Principal, id: string): Promise<Subject> {
    const key = await this.subjects.findKey(id);
    if (key === null || !mayManageKey(caller, key)) throw new ApiKeyNotFoundError(id);
    return { scope: 'key', id };
  }

  private async answer(named: NamedSubject, subject: Subject): Promise<UsageLimitsDto> {
    const [found] = await this.limits.findAll([subject]);
    const limits = found ?? NO_LIMITS;
    const models = limits.modelBudgets.map(({ model }) => model);
    return toUsageLimitsDto(named, limits, await this.subjects.findSpent(subject, models));
  }
}

/** For the audit log. */
const detailOf = ({ model_budgets: budgets, ...limits }: UsageLimitsPutDto) => ({
  ...limits,
  ...(budgets && { model_budgets: budgets.map((budget) => ({ ...budget })) }),
});

/** A key without the scope `account` cannot raise its own limits, even when an admin owns it. */
function assertOperator(caller: Principal): void {
  if (!caller.scopes.has('account')) throw AccessDeniedError.needsScope('account');
  if (!caller.isAdmin) throw AccessDeniedError.needsAdmin();
  if (caller.onlyProject !== null) throw AccessDeniedError.boundTo(caller.onlyProject);
}
