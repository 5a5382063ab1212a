import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FloatTensor } from '../../tensor.js';
import { readHashed } from '../hash-files.js';
import { useTempFolder } from '../temp-folder.fixture.js';
import { writeDurably } from './durable-file.js';
import { SafetensorsFile } from './safetensors-reader.js';
import { encodeSafetensors, writeSafetensors } from './safetensors-writer.js';

const folder = useTempFolder();
const path = (): string => join(folder(), 'x.safetensors');

const TENSORS = new Map<string, FloatTensor>([
  ['b', { shape: [2, 3], data: Float32Array.of(1, -2, 3.5, 0, 1e-40, Infinity) }],
  ['a', { shape: [], data: Float32Array.of(7) }],
  ['empty', { shape: [0, 4], data: new Float32Array(0) }],
]);

/** A file of a hand-written header and data. */
async function writeRaw(header: unknown, dataBytes: number): Promise<void> {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  await writeFile(path(), Buffer.concat([length, text, Buffer.alloc(dataBytes)]));
}

async function readAll(): Promise<Map<string, FloatTensor>> {
  const file = await SafetensorsFile.open(path());
  try {
    const tensors = new Map<string, FloatTensor>();
    for (const name of file.entries.keys()) tensors.set(name, await file.read(name));
    return tensors;
  } finally {
    await file.close();
  }
}

describe('safetensors files', () => {
  it('come back as they were written', async () => {
    await writeSafetensors(path(), TENSORS);
    expect(await readAll()).toEqual(TENSORS);
  });

  it('have the same bytes whatever the order of the tensors', async () => {
    const first = await writeSafetensors(path(), TENSORS, { b: '2', a: '1' });
    const second = await writeSafetensors(path(), new Map([...TENSORS].reverse()), { a: '1', b: '2' });
    expect(second).toEqual(first);
  });

  it('begin their data at a multiple of eight, in the order of the names', async () => {
    await writeSafetensors(path(), TENSORS, { format: 'pt' });
    const bytes = await readFile(path());
    const headerBytes = Number(bytes.readBigUInt64LE());
    expect(headerBytes % 8).toBe(0);
    expect(JSON.parse(bytes.toString('utf8', 8, 8 + headerBytes))).toEqual({
      __metadata__: { format: 'pt' },
      a: { dtype: 'F32', shape: [], data_offsets: [0, 4] },
      b: { dtype: 'F32', shape: [2, 3], data_offsets: [4, 28] },
      empty: { dtype: 'F32', shape: [0, 4], data_offsets: [28, 28] },
    });
  });

  it('give their metadata', async () => {
    await writeSafetensors(path(), TENSORS, { format: 'pt' });
    const file = await SafetensorsFile.open(path());
    await file.close();
    expect([...file.metadata]).toEqual([['format', 'pt']]);
  });

  it.each([
    // IEEE 754 binary16: 1, -2, the largest, the smallest, infinity.
    ['F16' as const, [0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00], [1, -2, 65504, 2 ** -24, Infinity]],
    // bfloat16: 1, -2, 2^127 * 1.9921875, 3.140625, -infinity.
    ['BF16' as const, [0x3f80, 0xc000, 0x7f7f, 0x4049, 0xff80], [1, -2, 2 ** 127 * 1.9921875, 3.140625, -Infinity]],
  ])('widen %s exactly', async (dtype, bits, values) => {
    const bytes = new Uint8Array(Uint16Array.from(bits).buffer);
    await writeDurably(path(), encodeSafetensors([{ name: 'x', dtype, shape: [5], bytes }]));
    expect(Array.from((await readAll()).get('x')!.data)).toEqual(values);
  });

  it('reads 16-bit tensors that are larger than its buffer', async () => {
    const bits = Uint16Array.from({ length: 5_000_000 }, (_, i) => 0x3f80 + (i % 100));
    const bytes = new Uint8Array(bits.buffer);
    await writeDurably(path(), encodeSafetensors([{ name: 'x', dtype: 'BF16', shape: [5_000_000], bytes }]));
    const { data } = (await readAll()).get('x')!;
    expect([data[0], data[2_097_152], data[4_999_999]]).toEqual([1, 1 + 52 / 128, 1 + 99 / 128]);
  });

  describe('read together', () => {
    const names = ['b', 'a', 'empty'];
    const buffersOf = (tensors: Map<string, FloatTensor>) =>
      new Set([...tensors.values()].map(({ data }) => data.buffer));

    it('lie where the file was read to', async () => {
      await writeSafetensors(path(), TENSORS);
      const { bytes } = await readHashed(path());
      const tensors = await (await SafetensorsFile.ofBytes(path(), bytes)).readTogether(names);
      expect(tensors).toEqual(TENSORS);
      expect(buffersOf(tensors).size).toBe(1);
      expect(buffersOf(tensors).has(bytes.buffer)).toBe(true);
    });

    it('share a buffer of their own where floats cannot lie there', async () => {
      // Data begin at byte 91.
      await writeRaw('{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}'.padEnd(83), 4);
      const { bytes } = await readHashed(path());
      const tensors = await (await SafetensorsFile.ofBytes(path(), bytes)).readTogether(['a']);
      expect(tensors).toEqual(new Map([['a', { shape: [], data: Float32Array.of(0) }]]));
      expect(buffersOf(tensors).has(bytes.buffer)).toBe(false);
    });

    it('share a buffer of their own where they are read one by one, or widened', async () => {
      const half = {
        name: 'h',
        dtype: 'F16' as const,
        shape: [2],
        bytes: new Uint8Array(Uint16Array.of(0x3c00, 0xc000).buffer),
      };
      const float = { name: 'f', dtype: 'F32' as const, shape: [1], bytes: new Uint8Array(Float32Array.of(3).buffer) };
      await writeDurably(path(), encodeSafetensors([half, float]));
      const { bytes } = await readHashed(path());
      const expected = new Map([
        ['h', { shape: [2], data: Float32Array.of(1, -2) }],
        ['f', { shape: [1], data: Float32Array.of(3) }],
      ]);
      for (const file of [await SafetensorsFile.open(path()), await SafetensorsFile.ofBytes(path(), bytes)]) {
        const tensors = await file.readTogether(['h', 'f']);
        await file.close();
        expect(tensors).toEqual(expected);
        expect(buffersOf(tensors).size).toBe(1);
      }
    });
  });
});

describe('a damaged safetensors file', () => {
  const entry = { dtype: 'F32', shape: [2], data_offsets: [0, 8] };
  const code = 'engine.tensor_file_damaged';

  it.each([
    ['a gap', { a: { ...entry, data_offsets: [4, 12] } }, 12, /a leaves a gap/],
    ['an overlap', { a: entry, b: { ...entry, data_offsets: [4, 12] } }, 12, /b overlaps/],
    ['bytes that belong to nothing', { a: entry }, 12, /take 8 bytes, the file has 12/],
    ['too few bytes', { a: entry }, 4, /take 8 bytes, the file has 4/],
    ['a size that does not match its shape', { a: { ...entry, shape: [3] } }, 8, /8 bytes, its shape needs 12/],
    ['a shape that overflows', { a: { ...entry, shape: [2 ** 52, 2 ** 52] } }, 8, /its shape needs/],
    ['a negative size', { a: { ...entry, shape: [-2, -1] } }, 8, /no valid shape/],
    ['a negative offset', { a: { ...entry, data_offsets: [-8, 0] } }, 8, /no valid data_offsets/],
    ['a format of no specification', { a: { ...entry, dtype: 'constructor' } }, 8, /unknown dtype/],
    ['metadata that are not strings', { __metadata__: { a: 1 } }, 0, /__metadata__/],
    ['a list as its header', [], 0, /not a JSON object/],
    ['no JSON', '{"a":', 0, /not a JSON object/],
  ])('with %s is refused', async (_, header, dataBytes, message) => {
    await writeRaw(header, dataBytes);
    await expect(SafetensorsFile.open(path())).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('that claims a header longer than itself is refused before it is read', async () => {
    await writeFile(path(), Buffer.from('ffffffffffffff7f', 'hex'));
    await expect(SafetensorsFile.open(path())).rejects.toMatchObject({ code });
  });

  it('that is shorter than its first field is refused', async () => {
    await writeFile(path(), 'abc');
    await expect(SafetensorsFile.open(path())).rejects.toMatchObject({ code });
  });

  it('that is cut while it is open is noticed at the read', async () => {
    const { bytes } = await writeSafetensors(path(), TENSORS);
    const file = await SafetensorsFile.open(path());
    await truncate(path(), bytes - 4);
    await expect(file.read('b')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`it ends at byte ${bytes - 4}`),
    });
    await file.close();
  });

  it('holds a tensor in a format that is refused by name', async () => {
    await writeRaw({ a: { dtype: 'I64', shape: [1], data_offsets: [0, 8] } }, 8);
    const file = await SafetensorsFile.open(path());
    await expect(file.read('a')).rejects.toMatchObject({
      code: 'engine.base_model_unsupported',
      message: expect.stringMatching(/a is stored as I64/),
    });
    await file.close();
  });
});
