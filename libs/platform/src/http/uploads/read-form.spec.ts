import type { ValidationError } from '../../errors/validation.error.js';
import { isFile, readForm } from './read-form.js';

const TYPE = 'multipart/form-data; boundary=b';
const MIB = 1_048_576;

const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, filename: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: audio/wav\r\n\r\n${content}\r\n`;
const read = (text: string | Buffer, type = TYPE) => readForm(Buffer.from(text), type);
const disposed = (disposition: string, more = '') =>
  `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\nx\r\n--b--`;

describe('a form', () => {
  it('is its fields and files, in order', () => {
    const parts = read(`${field('a', 'Größe')}${file('f', 'y.wav', 'A\r\n--B')}${field('a', '')}--b--\r\n`);
    expect(parts).toEqual([
      { name: 'a', value: 'Größe' },
      { name: 'f', filename: 'y.wav', contentType: 'audio/wav', bytes: Buffer.from('A\r\n--B') },
      { name: 'a', value: '' },
    ]);
    expect(parts.map(isFile)).toEqual([false, true, false]);
  });

  it.each([
    ['quotes in the type', 'multipart/form-data; charset=utf-8; boundary="b"'],
    ['upper case', 'Multipart/Form-Data;BOUNDARY=b'],
  ])('has a boundary in its content type, with %s', (_name, type) => {
    expect(read(`${field('a', 'x')}--b--`, type)).toEqual([{ name: 'a', value: 'x' }]);
  });

  it('may have lines before the first boundary and after the last, and no parts', () => {
    expect(read(`Hello.\r\n${field('a', 'x')}--b--\r\nBye.\r\n--b`)).toEqual([{ name: 'a', value: 'x' }]);
    expect(read('--b--')).toEqual([]);
  });

  it.each([
    ['form-data; name=f; filename=a.wav', 'a.wav'],
    ['form-data; name="f"; filename="a\\"b\\\\c%22.wav"', 'a"b\\c%22.wav'],
    [`form-data; name="f"; filename="fallback"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.wav`, 'Größe.wav'],
    ['form-data; name="f"; filename=""', ''],
  ])('has files by their names: %s', (disposition, filename) => {
    const bytes = Buffer.from('x');
    expect(read(disposed(disposition))).toEqual([
      { name: 'f', filename, contentType: 'application/octet-stream', bytes },
    ]);
  });

  it.each<[string, string | Buffer, string]>([
    ['no boundary', `${field('a', 'x')}--b--`, 'multipart/form-data'],
    ['an empty boundary', `${field('a', 'x')}${file('f', 'f', 'x')}--b--\r\n`, 'multipart/form-data; boundary='],
    ['a boundary of dashes', `${field('a', 'x')}${file('f', 'f', 'x')}--b--\r\n`, 'multipart/form-data; boundary=--'],
    ['a long boundary', `${field('a', 'x')}--b--`, `multipart/form-data; boundary=${'b'.repeat(300)}`],
    ['another boundary', `${field('a', 'x')}--b--`, 'multipart/form-data; boundary=c'],
    ['no end of a field', field('a', 'x').slice(0, -4), TYPE],
    ['no end of a file', file('f', 'f', 'x'.repeat(70_000)).slice(0, -4), TYPE],
    ['no bytes', '', TYPE],
    ['too many fields', `${field('a', 'x').repeat(60)}--b--`, TYPE],
    ['a part without a head', '--b\r\n\r\nx\r\n--b--', TYPE],
    ['a part without a name', disposed('form-data; filename="x"'), TYPE],
    ['a part that is no form-data', disposed('attachment; name="x"'), TYPE],
    ['two names', disposed('form-data; name="x"; name="y"'), TYPE],
    ['a name that does not end', disposed('form-data; name="x'), TYPE],
    ['two dispositions', disposed('form-data; name="x"', 'content-disposition: form-data; name="y"\r\n'), TYPE],
    ['base64', disposed('form-data; name="x"', 'content-transfer-encoding: base64\r\n'), TYPE],
    ['a charset of its own', disposed(`form-data; name="x"; filename*=UTF-8''%ff`), TYPE],
    [
      'no UTF-8',
      Buffer.concat([Buffer.from(field('a', 'x').slice(0, -2)), Buffer.from([0xff, 13, 10]), Buffer.from('--b--')]),
      TYPE,
    ],
    ['a boundary that goes on', `${field('a', 'x')}--bc--`, TYPE],
    ['a long head', disposed('form-data; name="x"', `x: ${'y'.repeat(9_000)}\r\n`), TYPE],
    ['too many files', `${file('a', 'f', 'x').repeat(60)}--b--`, TYPE],
    ['too long a field', `${field('a', 'x'.repeat(300_000))}--b--`, TYPE],
    ['too long a name', `${field('a'.repeat(200), 'x')}--b--`, TYPE],
  ])('is refused with %s', (_name, text, type) => {
    let issues: unknown;
    try {
      issues = read(text, type);
    } catch (error) {
      issues = (error as ValidationError).issues;
    }
    expect(issues).toEqual([expect.objectContaining({ loc: ['body'], type: 'value_error' })]);
  });

  it.each([
    ['a large file', file('f', 'f', 'x'.repeat(31 * MIB))],
    ['what is nearly a boundary', file('f', 'f', '\r\n--'.repeat(7 * MIB))],
    ['what is no part', `--b\r\n${'x: y\r\n'.repeat(5 * MIB)}`],
    ['empty parts', '--b\r\n\r\n\r\n'.repeat(3 * MIB)],
    ['quotes', disposed(`form-data; name="${'\\\\'.repeat(4_000)}`).repeat(2_000)],
    ['spaces', disposed(`form-data${' '.repeat(8_000)}x; name="x"`, `${' '.repeat(50)}\r\n`)],
    ['a type of spaces', file('f', 'f', 'x').replace('audio/wav', ' '.repeat(8_000))],
  ])('leaves other requests their turns: %s', (_name, text) => {
    const body = Buffer.from(`${text}--b--\r\n`);
    // Of this process: other processes of a busy machine do not count.
    const before = process.cpuUsage();
    try {
      readForm(body, TYPE);
    } catch {
      // Some of them are no forms.
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(200);
  });
});
