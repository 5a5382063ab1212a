import { applySplices, editObject, type ObjectEdits } from './splice.js';

const edit = (json: string, edits: Partial<ObjectEdits>) =>
  editObject(Buffer.from(json), { set: new Map(), remove: new Set(), rename: new Map(), ...edits }).toString();

describe('editing an object as bytes', () => {
  it('replaces and adds values, and leaves the digits of others', () => {
    const set = new Map([
      ['model', '"b"'],
      ['stream_options', '{"include_usage":true}'],
    ]);
    expect(edit('{"seed": 12345678901234567890, "model":"a"}', { set })).toBe(
      '{"seed": 12345678901234567890,"model":"b","stream_options":{"include_usage":true}}',
    );
  });

  it('removes the first, the last and every member', () => {
    expect(edit('{"a":1,"b":2,"c":3}', { remove: new Set(['a', 'c']) })).toBe('{"b":2}');
    expect(edit('{"a":1}', { remove: new Set(['a']) })).toBe('{}');
  });

  it('renames a member and keeps its value', () => {
    expect(edit('{"engine_xargs" : {"a":1.0}}', { rename: new Map([['engine_xargs', 'vllm_xargs']]) })).toBe(
      '{"vllm_xargs" : {"a":1.0}}',
    );
  });

  it('returns the very same bytes when there is nothing to change', () => {
    const json = Buffer.from('{"a": 1}');
    expect(editObject(json, { set: new Map(), remove: new Set(), rename: new Map() })).toBe(json);
  });

  it('applies only the splices inside of a range', () => {
    const splices = [
      { start: 1, end: 2, bytes: Buffer.from('XY') },
      { start: 5, end: 6, bytes: Buffer.from('Z') },
    ];
    expect(applySplices(Buffer.from('abcdefg'), splices, 0, 4).toString()).toBe('aXYcd');
    expect(applySplices(Buffer.from('abcdefg'), splices, 4).toString()).toBe('eZg');
  });
});
