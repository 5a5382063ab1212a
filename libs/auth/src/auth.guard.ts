import { RateLimitedError, Refuses } from '@hone/platform';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { CredentialsInvalidError, CredentialsMissingError, SessionHeaderMissingError } from './auth.errors.js';
import { AuthLimits } from './auth-limits.js';
import { parseAuthorization } from './credentials.js';
import { KeyStore } from './key-store.js';
import type { Principal } from './principal.js';
import { isFromConsole, SESSION_HEADER, sessionTokenOf } from './session-cookie.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set by the guard. */
    principal?: Principal;
  }
}

/** The username that goes with any key. */
const ANY_USER = 'api';
const CHALLENGES = { basic: 'Basic realm="hone"', bearer: 'Bearer realm="hone"' };
/** For pages of our own: at a scheme that it knows a browser would ask for a password by itself. */
const SESSION_CHALLENGE = 'Session realm="hone"';

const challengesOf = ({ headers }: FastifyRequest, schemes: readonly ('basic' | 'bearer')[]): string =>
  headers[SESSION_HEADER] === undefined ? schemes.map((scheme) => CHALLENGES[scheme]).join(', ') : SESSION_CHALLENGE;

@Refuses(CredentialsMissingError, CredentialsInvalidError, SessionHeaderMissingError, RateLimitedError)
@Injectable()
abstract class AuthGuard implements CanActivate {
  protected abstract readonly schemes: readonly ('basic' | 'bearer')[];
  /** Whether the name beside a key is nobody's: clients of other systems have a public key there. */
  protected readonly takesAnyUsername: boolean = false;

  constructor(
    private readonly keys: KeyStore,
    private readonly limits: AuthLimits,
  ) {}

  /** @throws CredentialsMissingError, CredentialsInvalidError, SessionHeaderMissingError, RateLimitedError */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const challenges = challengesOf(request, this.schemes);
    const principal = await this.find(request, challenges);
    if (!principal) throw new CredentialsInvalidError(challenges);
    const wait = this.limits.takeRequest(principal.keyId);
    if (wait) throw new RateLimitedError(wait);
    request.principal = principal;
    request.callerId = principal.userId;
    return true;
  }

  /** The key of the header, else the session of the cookie. */
  private async find({ headers, method, ip }: FastifyRequest, challenges: string): Promise<Principal | null> {
    if (headers.authorization !== undefined) return this.authenticate(headers.authorization, ip);
    const token = sessionTokenOf(headers);
    if (token === undefined) throw new CredentialsMissingError(challenges);
    if (!isFromConsole(method, headers)) throw new SessionHeaderMissingError();
    return this.keys.findSession(token);
  }

  private async authenticate(header: string, address: string): Promise<Principal | null> {
    const credentials = parseAuthorization(header);
    if (!credentials || !this.schemes.includes(credentials.scheme)) return null;
    const { key, username = ANY_USER } = credentials;
    const wait = this.limits.failuresLeft(address, key);
    if (wait) throw new RateLimitedError(wait);
    const principal = await this.keys.find(key);
    const isTheirs = this.takesAnyUsername || username === ANY_USER || username === principal?.username;
    if (principal && isTheirs) return principal;
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

/** `Authorization: Basic base64(<anything>:<key>)`, as SDKs send a public and a secret key, or `Bearer <key>`. */
@Injectable()
export class SecretKeyAuthGuard extends AuthGuard {
  protected readonly schemes = ['basic', 'bearer'] as const;
  protected override readonly takesAnyUsername = true;
}

/** Either scheme. */
@Injectable()
export class AnyAuthGuard extends AuthGuard {
  protected readonly schemes = ['basic', 'bearer'] as const;
}
