import { crc32c } from './crc32c.js';

describe('crc32c', () => {
  // RFC 3720, appendix B.4, and the check value of the CRC catalogue.
  it.each([
    ['the nine digits', Buffer.from('123456789'), 0xe3069283],
    ['32 zeros', Buffer.alloc(32), 0x8a9136aa],
    ['32 ones', Buffer.alloc(32, 0xff), 0x62a8ab43],
    ['rising bytes', Buffer.from(Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e],
    ['nothing', Buffer.alloc(0), 0],
  ])('of %s', (_name, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });

  it('reads only the part that it is given', () => {
    expect(crc32c(Buffer.from('xx123456789x'), 2, 11)).toBe(0xe3069283);
  });
});
