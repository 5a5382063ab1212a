import { decodeFrames, FrameWriter, isTooLarge, MAX_PAYLOAD_BYTES } from './frame.js';

const frames = (...records: object[]): Buffer => new FrameWriter().write(records.map((one) => JSON.stringify(one)));
const read = (bytes: Buffer, isEnd = true, max = 100) => {
  const { records, ...rest } = decodeFrames(bytes, isEnd, max);
  return { payloads: records.texts(), ...rest };
};

describe('frames of the journal', () => {
  const three = frames({ n: 1 }, { n: 'zwei ü 🙂' }, { n: 3 });

  it('are read in order', () => {
    expect(read(three)).toEqual({
      payloads: ['{"n":1}', '{"n":"zwei ü 🙂"}', '{"n":3}'],
      consumedBytes: three.length,
      skippedBytes: 0,
    });
  });

  it('are read up to a torn tail', () => {
    const whole = frames({ n: 1 });
    for (let length = whole.length; length < three.length; length++) {
      const { payloads } = read(three.subarray(0, length));
      expect(payloads.length).toBe(length < frames({ n: 1 }, { n: 'zwei ü 🙂' }).length ? 1 : 2);
    }
  });

  it('after a damaged frame are found, for any wrong bit', () => {
    const middle = { from: frames({ n: 1 }).length, to: frames({ n: 1 }, { n: 'zwei ü 🙂' }).length };
    for (let bit = middle.from * 8; bit < middle.to * 8; bit++) {
      const damaged = Buffer.from(three);
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(read(damaged)).toMatchObject({
        payloads: ['{"n":1}', '{"n":3}'],
        skippedBytes: middle.to - middle.from,
      });
    }
  });

  it('are not found in zeros, which a crash of the machine leaves', () => {
    expect(read(Buffer.concat([three, Buffer.alloc(4_096)])).payloads).toHaveLength(3);
  });

  it('that are incomplete wait for more bytes', () => {
    expect(read(three.subarray(0, three.length - 1), false)).toEqual({
      payloads: ['{"n":1}', '{"n":"zwei ü 🙂"}'],
      consumedBytes: frames({ n: 1 }, { n: 'zwei ü 🙂' }).length,
      skippedBytes: 0,
    });
  });

  it('are read up to the requested number', () => {
    expect(read(three, true, 1)).toEqual({
      payloads: ['{"n":1}'],
      consumedBytes: frames({ n: 1 }).length,
      skippedBytes: 0,
    });
  });

  it('have a maximum length', () => {
    const longest = (letter: string, bytes: number) => `{"n":"${letter.repeat((MAX_PAYLOAD_BYTES - 8) / bytes)}"}`;
    expect([longest('x', 1), longest('\u00fc', 2), longest('\u00fc', 1)].map(isTooLarge)).toEqual([false, false, true]);
  });

  it('may exceed the buffer, which is reused', () => {
    const writer = new FrameWriter();
    const many = Array.from({ length: 700 }, (_, n) => `{"n":${n},"text":"${'\u20ac'.repeat(n)}"}`);
    for (const records of [many, many.slice(650), many.slice(0, 3), many]) {
      expect(read(writer.write(records), true, 1_000)).toMatchObject({ payloads: records, skippedBytes: 0 });
    }
  });
});
