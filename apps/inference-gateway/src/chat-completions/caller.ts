import type { Principal } from '@hone/auth';
import { AuthLimits, KeyStore, prefixOf } from '@hone/auth';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { authenticationFailed, GatewayError, scopeMissing } from './gateway-error.js';

const BEARER = /^Bearer +(\S{1,512})$/i;

/** Finds out who is calling. */
@Injectable()
export class CallerStore {
  constructor(
    private readonly keys: KeyStore,
    private readonly limits: AuthLimits,
  ) {}

  /** @throws GatewayError 401; 403 for a key without the scope `inference`; 429 after many failures from one address */
  async get(request: FastifyRequest): Promise<Principal> {
    const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) throw authenticationFailed();
    const source = `${request.ip} ${prefixOf(key)}`;
    const waitSeconds = this.limits.failuresLeft(source);
    if (waitSeconds > 0) throw tooManyFailures(waitSeconds);
    const principal = await this.keys.find(key);
    if (principal === null) {
      this.limits.countFailure(source);
      throw authenticationFailed();
    }
    if (!principal.scopes.has('inference')) throw scopeMissing();
    return principal;
  }
}

function tooManyFailures(seconds: number): GatewayError {
  const headers = { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
  return new GatewayError(429, 'rate_limit_error', 'rate_limit_requests', 'Too many failed attempts.', { headers });
}
