import { BlockList, isIP } from 'node:net';

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const FULL_PREFIX = { 4: 32, 6: 128 };

/**
 * The addresses whose `X-Forwarded-*` are believed: this machine, and those that are listed.
 *
 * @param list comma-separated: addresses, networks such as `10.1.0.0/16`, `linklocal`, `uniquelocal`
 * @returns null when one of them is none of these
 */
export function trustedAddresses(list: string): BlockList | null {
  const addresses = new BlockList();
  for (const entry of ['loopback', ...list.split(',').map((one) => one.trim())].filter(Boolean))
    for (const network of NAMED[entry] ?? [entry]) if (!add(addresses, network)) return null;
  return addresses;
}

export const isTrusted = (addresses: BlockList, address: string | undefined): boolean =>
  address !== undefined && addresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

function add(addresses: BlockList, network: string): boolean {
  const [address = '', prefix, ...rest] = network.split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || rest.length || !/^\d{1,3}$/.test(prefix ?? '0')) return false;
  const bits = Number(prefix ?? FULL_PREFIX[family]);
  if (bits > FULL_PREFIX[family]) return false;
  addresses.addSubnet(address, bits, `ipv${family}`);
  return true;
}
