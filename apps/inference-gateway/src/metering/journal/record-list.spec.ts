import { decodeFrames, FrameWriter } from './frame.js';
import { RecordList } from './record-list.js';

const TEXTS = ['{"n":1}', '{"n":"zwei ü 🙂"}', '{"n":[3]}'];

describe('RecordList', () => {
  const framed = () => decodeFrames(Buffer.from(new FrameWriter().write(TEXTS)), true, 10).records;

  it.each([
    ['of texts', () => RecordList.of(TEXTS)],
    ['of frames', framed],
  ])('%s is an array in JSON, whole and in parts', (_, make) => {
    const list = make();
    const read = (part: RecordList) => JSON.parse(part.toJson().toString());
    const all = TEXTS.map((text) => JSON.parse(text));
    expect(list.length).toBe(3);
    expect(list.texts()).toEqual(TEXTS);
    expect(read(list)).toEqual(all);
    expect(read(list.slice(0, 2))).toEqual(all.slice(0, 2));
    expect(read(list.slice(2))).toEqual(all.slice(2));
    expect(read(list.slice(3))).toEqual([]);
    expect(list.texts()).toEqual(TEXTS);
  });

  it('skips the bytes between its records', () => {
    const bytes = Buffer.concat([
      Buffer.from('"damage,'),
      Buffer.from(new FrameWriter().write(TEXTS)),
      Buffer.alloc(9),
    ]);
    expect(JSON.parse(decodeFrames(bytes, true, 10).records.toJson().toString())).toHaveLength(3);
  });
});
