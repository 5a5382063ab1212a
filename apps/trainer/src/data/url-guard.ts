import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import type { DownloadConfig } from '../config/trainer.config.js';
import { UrlForbiddenError } from './data.errors.js';
import { addressOf, isPublicAddress } from './public-address.js';

const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

type Resolve = (hostname: string, options: { all: true }, done: Resolved) => void;
type Resolved = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Decides from which servers training data may be downloaded. */
export class UrlGuard {
  constructor(
    private readonly config: Pick<DownloadConfig, 'hosts' | 'privateHosts'>,
    private readonly resolve: Resolve = systemLookup,
  ) {}

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
    if (this.config.hosts && !this.config.hosts.includes(host)) {
      throw new UrlForbiddenError(`${host} is not in HONE_TRAINING_DATA_HOSTS`);
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
  lookupFor(url: URL): LookupFunction {
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
    return [host, `${host}:${port || PORTS[protocol]}`].some((name) => this.config.privateHosts.includes(name));
  }
}
