import { addressOf, isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.63.255.255', '2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'])(
    'knows %s as public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '2002:a00:1::'],
    ...['::ffff:10.0.0.1', '::ffff:a00:1', '::ffff:169.254.169.254', '64:ff9b::a00:1', '::10.0.0.1', 'localhost', ''],
  ])('knows %s as not public', (address) => expect(isPublicAddress(address)).toBe(false));
});

it('finds the address in a host', () => {
  const hosts = ['http://[::ffff:10.0.0.1]', 'http://2130706433', 'http://0x7f.1', 'http://example.com'];
  expect(hosts.map((url) => addressOf(new URL(url).hostname))).toEqual([
    '::ffff:a00:1',
    '127.0.0.1',
    '127.0.0.1',
    null,
  ]);
});
