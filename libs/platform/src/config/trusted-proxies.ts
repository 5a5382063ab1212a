import proxyAddr from '@fastify/proxy-addr';

import type { Environment } from './environment.js';

/**
 * The clients whose `X-Forwarded-*` headers are believed, from `HONE_TRUSTED_PROXIES`: addresses, networks such as
 * `10.1.0.0/16`, `linklocal`, `uniquelocal`. This machine is always one of them.
 */
export const readTrustedProxies = (environment: Environment): string[] =>
  toEntries(
    environment.text(
      'HONE_TRUSTED_PROXIES',
      'addresses, networks, linklocal or uniquelocal, comma-separated',
      isList,
      'loopback',
    ),
  );

/** Whether an address is trusted, as Fastify decides it for a service's `trustProxy`. */
export function trustOf(trustedProxies: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile(['loopback', ...trustedProxies]);
  return (address) => isTrusted(address, 0);
}

function isList(value: string): boolean {
  try {
    trustOf(toEntries(value));
    return true;
  } catch {
    return false;
  }
}

const toEntries = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
