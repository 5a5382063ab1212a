import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RateLimitedError, Refuses } from '@hone/platform';
import type { FastifyRequest } from 'fastify';

import { AuthLimits } from './auth-limits.js';
import { CredentialsInvalidError, CredentialsMissingError } from './auth.errors.js';
import { parseAuthorization } from './credentials.js';
import { KeyStore } from './key-store.js';
import type { Principal } from './principal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set by the guard. */
    principal?: Principal;
  }
}

/** The username that goes with any key. */
const ANY_USER = 'api';
const CHALLENGES = { basic: 'Basic realm="hone"', bearer: 'Bearer realm="hone"' };

@Refuses(CredentialsMissingError, CredentialsInvalidError, RateLimitedError)
@Injectable()
abstract class AuthGuard implements CanActivate {
  protected abstract readonly schemes: readonly ('basic' | 'bearer')[];

  constructor(
    private readonly keys: KeyStore,
    private readonly limits: AuthLimits,
  ) {}

  /** @throws CredentialsMissingError, CredentialsInvalidError, RateLimitedError */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const challenges = this.schemes.map((scheme) => CHALLENGES[scheme]).join(', ');
    const header = request.headers.authorization;
    if (header === undefined) throw new CredentialsMissingError(challenges);
    const principal = await this.#authenticate(header, request.ip);
    if (!principal) throw new CredentialsInvalidError(challenges);
    const wait = this.limits.takeRequest(principal.keyId);
    if (wait) throw new RateLimitedError(wait);
    request.principal = principal;
    request.callerId = principal.userId;
    return true;
  }

  async #authenticate(header: string, address: string): Promise<Principal | null> {
    const credentials = parseAuthorization(header);
    if (!credentials || !this.schemes.includes(credentials.scheme)) return null;
    const { key, username = ANY_USER } = credentials;
    const wait = this.limits.failuresLeft(address, key);
    if (wait) throw new RateLimitedError(wait);
    const principal = await this.keys.find(key);
    if (principal && (username === ANY_USER || username === principal.username)) return principal;
    this.limits.countFailure(address, key);
    return null;
  }
}

/** `Authorization: Basic base64(<username>:<key>)`, username the key owner's or `api`. */
@Injectable()
export class BasicAuthGuard extends AuthGuard {
  protected readonly schemes = ['basic'] as const;
}

/** `Authorization: Bearer <key>`. */
@Injectable()
export class BearerAuthGuard extends AuthGuard {
  protected readonly schemes = ['bearer'] as const;
}

/** Either scheme. */
@Injectable()
export class AnyAuthGuard extends AuthGuard {
  protected readonly schemes = ['basic', 'bearer'] as const;
}
