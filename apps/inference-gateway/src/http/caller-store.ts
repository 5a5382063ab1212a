import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { AuthLimits, isFromConsole, KeyStore, PresentedKey, type Principal, sessionTokenOf } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import type { Exchange } from './exchange.js';
import {
  AuthenticationFailedError,
  ConsoleHeaderMissingError,
  ScopeMissingError,
  TooManyFailuresError,
} from './http.errors.js';

const BEARER = /^Bearer +(\S{1,512})$/i;

/** Authenticates callers by their API keys, with a rate limit on failures. */
@Injectable()
export class CallerStore {
  /** The last key of each connection: most clients send the same key with every request. */
  private readonly presented = new WeakMap<Socket, { readonly header: string; readonly key: PresentedKey }>();

  constructor(
    private readonly keys: KeyStore,
    private readonly limits: AuthLimits,
  ) {}

  /** The cached caller of the key; undefined: {@link get} looks it up. */
  recall({ socket, headers }: IncomingMessage): Principal | undefined {
    const header = credentialsOf(headers);
    const key = header === undefined ? undefined : this.keyOf(socket, header);
    const principal = key && this.keys.recall(key);
    return principal?.scopes.has('inference') ? principal : undefined;
  }

  /** @throws AuthenticationFailedError, ScopeMissingError, ConsoleHeaderMissingError, TooManyFailuresError */
  async get({ raw, origin }: Exchange): Promise<Principal> {
    const header = credentialsOf(raw.headers);
    if (header === undefined) return this.ofSession(raw);
    const text = textOfKey(header);
    if (text === undefined) throw new AuthenticationFailedError();
    const waitSeconds = this.limits.failuresLeft(origin.ip, text);
    if (waitSeconds > 0) throw new TooManyFailuresError(waitSeconds);
    const principal = await this.keys.find(text);
    if (principal === null) {
      this.limits.countFailure(origin.ip, text);
      throw new AuthenticationFailedError();
    }
    if (!principal.scopes.has('inference')) throw new ScopeMissingError();
    return principal;
  }

  /** The caller of a browser that is signed in. */
  private async ofSession({ headers, method = '' }: IncomingMessage): Promise<Principal> {
    const token = sessionTokenOf(headers);
    if (token === undefined) throw new AuthenticationFailedError();
    if (!isFromConsole(method, headers)) throw new ConsoleHeaderMissingError();
    const principal = await this.keys.findSession(token);
    if (principal === null) throw new AuthenticationFailedError();
    if (!principal.scopes.has('inference')) throw new ScopeMissingError();
    return principal;
  }

  /** Undefined while keys of this prefix are being guessed: {@link get} limits failures per client address. */
  private keyOf(socket: Socket, header: string): PresentedKey | undefined {
    const last = this.presented.get(socket);
    if (last?.header === header) return last.key;
    const text = textOfKey(header);
    if (text === undefined || this.limits.isGuessed(text)) return undefined;
    const key = new PresentedKey(text);
    this.presented.set(socket, { header, key });
    return key;
  }
}

/** `Authorization`, or the same of a key that clients of Anthropic send; undefined: neither was sent. */
function credentialsOf({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  return authorization ?? (typeof key === 'string' ? `Bearer ${key}` : undefined);
}

const textOfKey = (header: string): string | undefined => BEARER.exec(header)?.[1];
