import type { Role } from '@hone/contracts';
import { DomainError } from '@hone/platform';

abstract class UnauthenticatedError extends DomainError {
  static override readonly kind = 'unauthenticated';
  override readonly headers: Record<string, string>;

  constructor(message: string, challenges: string) {
    super(message);
    this.headers = { 'www-authenticate': challenges };
  }
}

/** The request has no `Authorization` header. */
export class CredentialsMissingError extends UnauthenticatedError {
  static override readonly code = 'auth.missing';
  constructor(challenges: string) {
    super('Credentials are missing.', challenges);
  }
}

/** Another scheme, malformed, unknown, expired or revoked: the answer does not say which. */
export class CredentialsInvalidError extends UnauthenticatedError {
  static override readonly code = 'auth.invalid';
  constructor(challenges: string) {
    super('Credentials are not valid.', challenges);
  }
}

/** A request with the cookie of a session lacks the header that our own pages send: another site may have made it. */
export class SessionHeaderMissingError extends DomainError {
  static override readonly kind = 'forbidden';
  static override readonly code = 'session.header_missing';
  constructor() {
    super('A request with the cookie of a session, unless it is a GET, needs the header X-Hone-Console: 1.');
  }
}

/** The caller may not do this. Says the same whether or not what they named exists. */
export class AccessDeniedError extends DomainError {
  static override readonly kind = 'forbidden';
  static override readonly code = 'access.denied';

  private constructor(message: string) {
    super(message);
  }

  static noAccess(entity: string): AccessDeniedError {
    return new AccessDeniedError(`You have no access to entity '${entity}'.`);
  }

  /** @param what was named by an id alone, for example `this model`: the answer does not say where it is */
  static noAccessTo(what: string): AccessDeniedError {
    return new AccessDeniedError(`You have no access to ${what}.`);
  }

  static needsRole(role: Role, entity: string): AccessDeniedError {
    return new AccessDeniedError(`This needs the role '${role}' on entity '${entity}'.`);
  }

  static needsAdmin(): AccessDeniedError {
    return new AccessDeniedError('This needs an administrator.');
  }

  static boundTo(projectId: string): AccessDeniedError {
    return new AccessDeniedError(`This key is bound to project '${projectId}'.`);
  }

  static needsPriority(priority: number): AccessDeniedError {
    return new AccessDeniedError(`This key is held to priority ${priority} and above.`);
  }

  static needsModel(model: string): AccessDeniedError {
    return new AccessDeniedError(`This key may not use the model ${model}.`);
  }

  static needsScope(scope: string): AccessDeniedError {
    return new AccessDeniedError(`This key lacks the scope '${scope}'.`);
  }
}

/** The project is not there; reads, updates and deletes do not make it. */
export class ProjectNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'project.not_found';
  constructor(projectId: string) {
    super(`There is no project '${projectId}'.`);
  }
}

/** No key has this id, or it is another user's. */
export class ApiKeyNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'api_key.not_found';
  constructor(id: string) {
    super(`There is no API key '${id}'.`);
  }
}
