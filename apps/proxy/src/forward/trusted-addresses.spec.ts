import type { BlockList } from 'node:net';

import { isTrusted, trustedAddresses } from './trusted-addresses.js';

describe('trustedAddresses', () => {
  const trusts = (list: string, address: string) => isTrusted(trustedAddresses(list) as BlockList, address);

  it.each([
    ['', '127.0.0.1', true],
    ['', '::1', true],
    ['', '::ffff:127.0.0.9', true],
    ['', '10.0.0.1', false],
    ['uniquelocal', '::ffff:172.18.0.3', true],
    ['uniquelocal', 'fd00::7', true],
    ['uniquelocal', '192.0.2.1', false],
    ['192.0.2.1, 2001:db8::/32', '192.0.2.1', true],
    ['192.0.2.1, 2001:db8::/32', '2001:db8:1::1', true],
    ['192.0.2.1, 2001:db8::/32', '192.0.2.2', false],
    ['192.0.2.0/25', '192.0.2.128', false],
  ])("'%s' and %s: %s", (list, address, expected) => expect(trusts(list, address)).toBe(expected));

  it.each(['private', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0', '2001:db8::/129'])(
    "takes no '%s' for an address",
    (list) => expect(trustedAddresses(list)).toBeNull(),
  );
});
