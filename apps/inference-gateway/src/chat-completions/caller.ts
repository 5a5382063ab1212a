import { AuthLimits, KeyStore, prefixOf, PresentedKey, type Principal } from '@hone/auth';
import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { Exchange } from './exchange.js';
import { authenticationFailed, GatewayError, scopeMissing } from './gateway-error.js';

const BEARER = /^Bearer +(\S{1,512})$/i;

/** Finds out who is calling. */
@Injectable()
export class CallerStore {
  /** The key that came last over each connection: most send the same one with every request. */
  private readonly presented = new WeakMap<Socket, { readonly header: string; readonly key: PresentedKey }>();

  constructor(
    private readonly keys: KeyStore,
    private readonly limits: AuthLimits,
  ) {}

  /** The caller, if that can be said at once; undefined: {@link get} finds out. */
  recall({ socket, headers }: IncomingMessage): Principal | undefined {
    const last = this.presented.get(socket);
    if (last === undefined || last.header !== headers.authorization) return undefined;
    const principal = this.keys.recall(last.key);
    return principal?.scopes.has('inference') ? principal : undefined;
  }

  /** @throws GatewayError 401; 403 for a key without the scope `inference`; 429 after many failures from one address */
  async get({ raw, origin }: Exchange): Promise<Principal> {
    const header = raw.headers.authorization ?? '';
    const key = BEARER.exec(header)?.[1];
    if (key === undefined) throw authenticationFailed();
    const source = `${origin.ip} ${prefixOf(key)}`;
    const waitSeconds = this.limits.failuresLeft(source);
    if (waitSeconds > 0) throw tooManyFailures(waitSeconds);
    const presented = new PresentedKey(key);
    const principal = await this.keys.find(presented);
    if (principal === null) {
      this.limits.countFailure(source);
      throw authenticationFailed();
    }
    if (!principal.scopes.has('inference')) throw scopeMissing();
    this.presented.set(raw.socket, { header, key: presented });
    return principal;
  }
}

function tooManyFailures(seconds: number): GatewayError {
  const headers = { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
  return new GatewayError(429, 'rate_limit_error', 'rate_limit_requests', 'Too many failed attempts.', { headers });
}
