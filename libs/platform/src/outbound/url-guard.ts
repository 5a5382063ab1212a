import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { Agent } from 'undici';

import type { Environment } from '../config/environment.js';
import { addressOf, isPublicAddress } from './public-address.js';

const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

type Resolve = (hostname: string, options: { all: true }, done: Resolved) => void;
type Resolved = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Which servers of others are asked. */
export interface AllowedHosts {
  /** Names of hosts; null: any that is not private. */
  readonly hosts: readonly string[] | null;
  /** `host` or `host:port`: may also have a private address, and another port than 80 and 443. */
  readonly privateHosts: readonly string[];
}

/** No request is sent to an address; the message says why, as a part of a sentence. */
export class UrlForbiddenError extends Error {}

/** Hosts of a variable, separated by commas, in lower case; null: `*`, any. */
export function readHosts(environment: Environment, variable: string): readonly string[] | null | undefined {
  const hosts = environment
    .optional(variable, 'hosts, comma-separated', () => true)
    ?.split(',')
    .map((host) => host.trim().toLowerCase())
    .filter(Boolean);
  return hosts?.includes('*') ? null : hosts;
}

/** Keeps requests to addresses that others name from reaching servers within: forged requests (SSRF). */
export class UrlGuard {
  /** @param setting the variable that `allowed.hosts` comes from, for messages */
  constructor(
    private readonly allowed: AllowedHosts,
    private readonly setting: string,
    private readonly resolve: Resolve = systemLookup,
  ) {}

  /**
   * A connection of its own for one request: the address that was checked is not used for another one.
   *
   * @param timeoutMs until it is connected
   * @throws UrlForbiddenError; a request through the agent fails with one as its cause where the name means a private address
   */
  agentFor(url: URL, timeoutMs: number): Agent {
    this.assertAllowed(url);
    return new Agent({
      connect: { lookup: this.lookupFor(url), timeout: timeoutMs },
      connections: 1,
      pipelining: 0,
    });
  }

  /**
   * Checks an address before any request or lookup.
   *
   * @throws UrlForbiddenError
   */
  assertAllowed(url: URL): void {
    const standardPort = PORTS[url.protocol];
    if (standardPort === undefined) throw new UrlForbiddenError(`${url.protocol} is not http or https`);
    if (url.username !== '' || url.password !== '') throw new UrlForbiddenError('the address holds credentials');
    const host = url.hostname.toLowerCase();
    if (this.allowed.hosts && !this.allowed.hosts.includes(host)) {
      throw new UrlForbiddenError(`${host} is not in ${this.setting}`);
    }
    if (this.mayBePrivate(url)) return;
    if (url.port !== '' && ![80, 443].includes(Number(url.port))) throw new UrlForbiddenError(`port ${url.port}`);
    const address = addressOf(host);
    if (address !== null && !isPublicAddress(address)) throw new UrlForbiddenError(`${host} is not a public address`);
  }

  /**
   * DNS lookup of one connection, which goes to an address that was checked: a later change of the name (DNS rebinding)
   * has no effect.
   */
  private lookupFor(url: URL): LookupFunction {
    const mayBePrivate = this.mayBePrivate(url);
    return (hostname, options, done) => {
      this.resolve(hostname, { all: true }, (error, addresses) => {
        if (error) return done(error, '', 0);
        if (!mayBePrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
          return done(new UrlForbiddenError(`${hostname} is not a public address`), '', 0);
        }
        const [first] = addresses;
        if (options.all) return (done as unknown as Resolved)(null, addresses.slice(0, 1));
        return done(null, first?.address ?? '', first?.family ?? 0);
      });
    };
  }

  private mayBePrivate({ protocol, hostname, port }: URL): boolean {
    const host = hostname.toLowerCase();
    return [host, `${host}:${port || PORTS[protocol]}`].some((name) => this.allowed.privateHosts.includes(name));
  }
}
