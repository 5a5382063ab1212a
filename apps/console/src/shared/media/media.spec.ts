import { addressOf, mediaOf } from './media.js';

const base64 = (...bytes: (number | string)[]) =>
  Buffer.concat([
    ...bytes.map((part) => Buffer.from(typeof part === 'string' ? part : [part])),
    Buffer.alloc(80, 7),
  ]).toString('base64');

describe('an image or sound in a text', () => {
  it.each([
    ['image/png', base64(0x89, 'PNG\r\n', 0x1a, '\n')],
    ['image/jpeg', base64(0xff, 0xd8, 0xff, 0xe0)],
    ['image/gif', base64('GIF89a')],
    ['image/webp', base64('RIFF', 0xff, 0x01, 0x02, 0x00, 'WEBP')],
    ['audio/wav', base64('RIFF', 0x24, 0x08, 0x00, 0x00, 'WAVE')],
    ['audio/mpeg', base64('ID3', 4)],
    ['audio/ogg', base64('OggS')],
    ['audio/flac', base64('fLaC')],
  ])('%s is recognised by how its bytes begin', (type, text) => {
    const media = mediaOf(text);
    expect(media).toEqual({ kind: type.split('/')[0], type, isAddress: false });
    expect(media && addressOf(media, text)).toBe(`data:${type};base64,${text}`);
  });

  it.each([
    ['data:image/svg+xml;base64,PHN2Zz4=', 'image', 'image/svg+xml'],
    ['data:IMAGE/PNG;base64,iVBO', 'image', 'image/png'],
    ['data:audio/wav;codecs=1;base64,UklG', 'audio', 'audio/wav'],
  ])('%s is an address as it is', (text, kind, type) => {
    const media = mediaOf(text);
    expect(media).toEqual({ kind, type, isAddress: true });
    expect(media && addressOf(media, text)).toBe(text);
  });

  it.each([
    '',
    'iVBORw0KGgo',
    `iVBORw0KGgo${'with blanks and words '.repeat(9)}`,
    'w'.repeat(10_000),
    'data:text/html;base64,PHNjcmlwdD4=',
    'data:image/png,raw',
    'data:image/png;base64,"><script>',
    `data:image/${'x'.repeat(1_000)};base64,AAAA`,
  ])('%.40s is none', (text) => expect(mediaOf(text)).toBeNull());
});
