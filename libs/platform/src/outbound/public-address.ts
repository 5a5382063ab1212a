import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Networks that are not the public Internet (IANA's registries of special-purpose addresses). */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and where clouds answer with their credentials
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Everything outside 2000::/3 is special; these are inside it. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};
const V4 = listOf(NOT_PUBLIC_V4, 'ipv4');
const V6 = listOf(NOT_PUBLIC_V6, 'ipv6');
const V6_PUBLIC = listOf(['2000::/3'], 'ipv6');
const V6_MAPPED = listOf(['::ffff:0:0/96'], 'ipv6');

/** Whether an address belongs to the public Internet. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !V4.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  const [plain] = address.split('%') as [string];
  if (V6_MAPPED.check(plain, 'ipv6')) return isPublicAddress(mappedOf(plain));
  return V6_PUBLIC.check(plain, 'ipv6') && !V6.check(plain, 'ipv6');
}

/** The host of a URL, if it is a literal address (IPv6 stands in brackets); null: it is a name. */
export function addressOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? null : bare;
}

/** `::ffff:10.0.0.1`, however it is written -> `10.0.0.1`. */
function mappedOf(address: string): string {
  const { hostname } = new URL(`http://[${address}]`); // always two groups of hexadecimal digits at the end
  const [high, low] = hostname
    .slice(1, -1)
    .split(':')
    .slice(-2)
    .map((group) => parseInt(group, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
