import { Environment } from './environment.js';
import { readTrustedProxies, trustOf } from './trusted-proxies.js';

describe('HONE_TRUSTED_PROXIES', () => {
  const read = (list: string) => readTrustedProxies(new Environment({ HONE_TRUSTED_PROXIES: list }));

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
    ['uniquelocal', '', false],
  ])("'%s' and %s: %s", (list, address, expected) => expect(trustOf(read(list))(address)).toBe(expected));

  it.each(['private', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '2001:db8::/129'])(
    "refuses '%s', and names the variable",
    (list) => expect(() => read(list)).toThrow('HONE_TRUSTED_PROXIES is wrong: expected addresses'),
  );
});
