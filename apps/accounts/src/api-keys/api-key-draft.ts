import { AccessDeniedError, allowsModel, type Principal } from '@hone/auth';
import { type ApiKeyCreateDto, type Issue, parseDateTime, type Scope, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import type { UserRecord } from '../users/user-record.js';
import type { ApiKeyDraft } from './api-key-record.js';

/**
 * What a new key may do. A key never creates one with more rights than its own, whatever its user may do: a restricted key
 * that leaks must stay restricted.
 *
 * @throws AccessDeniedError a scope, a project, a model or a priority that the calling key does not have
 */
export function toApiKeyDraft(caller: Principal, owner: UserRecord, body: ApiKeyCreateDto): ApiKeyDraft {
  const onlyProject = grantedProject(caller, body.project);
  return {
    userId: owner.id,
    label: body.label,
    scopes: grantedScopes(caller, body.scopes),
    onlyProject,
    defaultProject: body.default_project ?? onlyProject ?? `${owner.defaultEntity}/default`,
    chatDefaults: body.chat_defaults ?? null,
    minPriority: grantedPriority(caller, body.min_priority),
    models: grantedModels(caller, body.models),
    expiresAt: body.expires_at ? (parseDateTime(body.expires_at) as Date) : null,
  };
}

/**
 * What the shape of a body does not say.
 *
 * @throws ValidationError no scope at all, a default project that the key does not open, an expiry in the past
 */
export function assertConsistent(body: ApiKeyCreateDto): void {
  const issues: Issue[] = [];
  const add = (field: string, sentence: string) => issues.push(valueIssue(sentence, ['body', field]));
  if (body.scopes?.length === 0) add('scopes', 'A key needs at least one scope');
  if (body.project && body.default_project && body.project !== body.default_project) {
    add('default_project', 'The default project of a key that is bound to a project is that project');
  }
  if (body.expires_at && (parseDateTime(body.expires_at) as Date) <= new Date()) {
    add('expires_at', 'Input should be in the future');
  }
  if (issues.length) throw new ValidationError(issues);
}

function grantedScopes(caller: Principal, asked: Scope[] | null | undefined): Scope[] {
  const scopes = [...new Set(asked ?? caller.scopes)];
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  if (missing) throw AccessDeniedError.needsScope(missing);
  return scopes;
}

/** An admin may let requests go first, yet not with a key that was itself held back. */
function grantedPriority({ isAdmin, attributes }: Principal, asked: number | null | undefined): number {
  const { minPriority } = attributes;
  if (asked === undefined || asked === null) return Math.max(0, minPriority);
  if (asked >= minPriority) return asked;
  if (isAdmin && minPriority <= 0) return asked;
  throw isAdmin ? AccessDeniedError.needsPriority(minPriority) : AccessDeniedError.needsAdmin();
}

function grantedModels(
  { attributes }: Principal,
  asked: readonly string[] | null | undefined,
): readonly string[] | null {
  const missing = asked?.find((name) => !allowsModel(attributes, name));
  if (missing !== undefined) throw AccessDeniedError.needsModel(missing);
  return asked ?? attributes.models;
}

function grantedProject(caller: Principal, asked: string | null | undefined): string | null {
  if (caller.onlyProject === null) return asked ?? null;
  if (asked && asked !== caller.onlyProject) throw AccessDeniedError.boundTo(caller.onlyProject);
  return caller.onlyProject;
}
