import { createHash } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type StoredTensor, toFloats } from '../blocks/index.js';
import { EngineError } from '../errors.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import type { FloatTensor } from '../tensor.js';
import { ggufBytes, type RawGgufTensor, text, textPair, uint32, uint64 } from './gguf-bytes.fixture.js';
import { GgufFile } from './gguf-file.js';
import { REFERENCE } from './reference-blocks.fixture.js';

const folder = useTempFolder();

async function open(bytes: Buffer, keepsArrays = true): Promise<GgufFile> {
  const path = join(folder(), 'model.gguf');
  await writeFile(path, bytes);
  return GgufFile.open(path, keepsArrays);
}

async function read(file: GgufFile, ...names: string[]): Promise<StoredTensor[]> {
  const tensors: StoredTensor[] = [];
  for await (const tensor of file.readEach(names)) tensors.push(tensor);
  return tensors;
}

/** Bytes that look random, the same in every run; no half-precision number among them is infinite. */
function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) => createHash('sha256').update(`${i}`).digest());
  return Buffer.from(
    Buffer.concat(blocks)
      .subarray(0, length)
      .map((byte) => byte & 0xbf),
  );
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const F32: RawGgufTensor = {
  name: 'a',
  sizes: [2, 3],
  type: 0,
  bytes: Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer),
};

describe('a GGUF file', () => {
  it.each([2, 3])('of version %d gives metadata and floats', async (version) => {
    const numbers = Buffer.concat([text('n'), uint32(9), uint32(5), uint64(2), uint32(7), uint32(8)]);
    const file = await open(ggufBytes([textPair('name', 'né'), numbers], [F32], version));
    expect(file.metadata).toEqual(
      new Map<string, unknown>([
        ['name', 'né'],
        ['n', Int32Array.of(7, 8)],
      ]),
    );
    expect(await read(file, 'a')).toEqual([{ shape: [3, 2], data: Float32Array.of(1, 2, 3, 4, 5, 6) }]);
    await file.close();
  });

  it.each(Object.keys(REFERENCE))('gives the numbers of %s', async (name) => {
    const { type, bytes, widen } = REFERENCE[name]!;
    const packs = Array.from({ length: 6 }, (_, i) => noise(7 * bytes).subarray(i * bytes, (i + 1) * bytes));
    const perPack = bytes < 64 ? 32 : 256;
    const file = await open(
      ggufBytes([], [F32, { name: 'w', sizes: [2 * perPack, 3], type, bytes: Buffer.concat(packs) }]),
    );
    const [matrix] = await read(file, 'w');
    const { shape, data } = toFloats(matrix!);
    await file.close();
    const expected = packs.flatMap(widen);
    expect(shape).toEqual([3, 2 * perPack]);
    const most = Math.max(...expected.map(Math.abs));
    expect(Math.max(...expected.map((number, i) => Math.abs(number - data[i]!)))).toBeLessThan(most * 1e-6);
  });

  const huge = 2n ** 63n;
  const array = (type: number, length: number | bigint, ...rest: Buffer[]): Buffer =>
    Buffer.concat([text('k'), uint32(9), uint32(type), uint64(length), ...rest]);
  const texts = array(8, 2, text('né'), text(''));
  const arrays = array(9, 2, uint32(5), uint64(1), uint32(7), uint32(8), uint64(1), text('in'));

  it.each([
    ['texts', texts, ['né', '']],
    ['arrays', arrays, [Int32Array.of(7), ['in']]],
  ])('gives its tensors with or without its %s', async (_, pair, value) => {
    const bytes = ggufBytes([pair, textPair('name', 'né')], [F32]);
    const [whole, bare] = [await open(bytes), await open(bytes, false)];
    expect([...whole.metadata]).toEqual([['k', value], ...bare.metadata]);
    expect([...bare.metadata]).toEqual([['name', 'né']]);
    expect(await read(bare, 'a')).toEqual(await read(whole, 'a'));
    await Promise.all([whole.close(), bare.close()]);
  });

  it.each([true, false])('is damaged when it is cut anywhere (with arrays: %p)', async (keepsArrays) => {
    for (const pair of [textPair('general.architecture', 'llama'), texts, arrays]) {
      const whole = ggufBytes([pair], [F32]);
      for (let length = 0; length < whole.length - 8; length++) {
        const opening = open(whole.subarray(0, length), keepsArrays);
        await expect(opening).rejects.toMatchObject({ code: 'engine.base_model_damaged' });
      }
    }
  });

  const nested = (depth: number): Buffer[] =>
    Array.from({ length: depth }, () => Buffer.concat([uint32(9), uint64(1)]));
  it.each<[what: string, file: Buffer, message: RegExp]>([
    [
      'a text longer than the file',
      ggufBytes([Buffer.concat([uint64(huge), uint32(0), uint64(0)])], []),
      /at byte 24: it claims 9223372036854775808 bytes/,
    ],
    ['more texts than the file has', ggufBytes([array(8, huge)], [F32]), /it claims 9223372036854775808 texts/],
    [
      'more numbers than the file has',
      ggufBytes([array(12, 2n ** 61n)], [F32]),
      /it claims 2305843009213693952 numbers/,
    ],
    [
      'arrays in arrays without end',
      ggufBytes([Buffer.concat([text('k'), uint32(9), ...nested(50)])], [F32]),
      /nested more than 3/,
    ],
    [
      'an unknown type of value',
      ggufBytes([Buffer.concat([text('k'), uint32(99), uint64(0)])], [F32]),
      /type 99 are unknown/,
    ],
    ['numbers of an unknown type', ggufBytes([array(99, 1)], [F32]), /type 99 are unknown/],
    ['a key twice', ggufBytes([textPair('k', ''), textPair('k', '')], [F32]), /"k": the key is there twice/],
    ['two arrays of one key', ggufBytes([texts, arrays], [F32]), /"k": the key is there twice/],
    [
      'text that is not UTF-8',
      ggufBytes([Buffer.concat([uint64(1), Buffer.of(0xff), uint32(8), uint64(0)])], [F32]),
      /not UTF-8/,
    ],
    ['2^63 rows', ggufBytes([], [{ ...F32, sizes: [2, huge] }]), /"a": 2 x 9223372036854775808 numbers of type F32/],
    ['sizes whose product overflows', ggufBytes([], [{ ...F32, sizes: [2n ** 32n, 2n ** 32n, 4] }]), /do not fit/],
    ['five dimensions', ggufBytes([], [{ ...F32, sizes: [1, 1, 1, 1, 1] }]), /5 dimensions/],
    ['a size of zero', ggufBytes([], [{ ...F32, sizes: [2, 0] }]), /expected 1 or more/],
    ['a row that splits a pack', ggufBytes([], [{ ...F32, sizes: [33], type: 2 }]), /Q4_0 packs 32/],
    ['a tensor beyond the end', ggufBytes([], [{ ...F32, offset: 32 }]), /it ends at byte 56 of the data/],
    ['a tensor off the alignment', ggufBytes([], [{ ...F32, offset: 4 }]), /multiple of 32/],
    ['tensors over each other', ggufBytes([], [F32, { ...F32, name: 'b', offset: 0 }]), /"b": it overlaps/],
    ['two tensors of one name', ggufBytes([], [F32, F32]), /two tensors have this name/],
    [
      'a strange alignment',
      ggufBytes([Buffer.concat([text('general.alignment'), uint32(4), uint32(33)])], [F32]),
      /power of two/,
    ],
    ['something else', Buffer.alloc(100), /at byte 0: it is not a GGUF file/],
  ])('with %s is damaged', async (_, file, message) => {
    for (const keepsArrays of [true, false]) {
      const error = await open(file, keepsArrays).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({
        code: 'engine.base_model_damaged',
        message: expect.stringMatching(message) as unknown,
      });
    }
  });

  it.each<[string, Buffer, RegExp]>([
    ['a type that is not read', ggufBytes([], [{ ...F32, type: 10 }]), /"a": tensors of type Q2_K are not read/],
    ['an unknown type', ggufBytes([], [{ ...F32, type: 4000 }]), /type 4000/],
    ['an older version', ggufBytes([], [F32], 1), /its version is 1/],
    ['numbers in the other byte order', ggufBytes([], [F32], 3 << 24), /big-endian/],
  ])('with %s is refused', async (_, file, message) => {
    const refusal = { code: 'engine.base_model_unsupported', message: expect.stringMatching(message) as unknown };
    await expect(open(file)).rejects.toMatchObject(refusal);
  });

  it('with a number that is not finite is damaged', async () => {
    const bytes = Buffer.from(Float32Array.of(1, 2, 3, 4, 5, NaN).buffer);
    const file = await open(ggufBytes([], [{ ...F32, bytes }]));
    await expect(read(file, 'a')).rejects.toThrow('"a": it has a number that is not finite');
    await file.close();
  });

  it('gives tensors of several reads in the order that is asked for', async () => {
    const { type, bytes, widen } = REFERENCE.Q4_0!;
    const packs = noise(65_536 * bytes);
    const floats = Float32Array.from({ length: 600_000 }, (_, i) => i);
    const file = await open(
      ggufBytes(
        [],
        [
          { name: 'w', sizes: [32, 65_536], type, bytes: packs },
          { name: 'b', sizes: [600_000], type: 0, bytes: Buffer.from(floats.buffer) },
          F32,
        ],
      ),
    );
    const [a, w, b] = await read(file, 'a', 'w', 'b');
    await file.close();
    expect(a).toEqual({ shape: [3, 2], data: Float32Array.of(1, 2, 3, 4, 5, 6) });
    expect(Buffer.compare(bytesOf((b as FloatTensor).data), bytesOf(floats))).toBe(0);
    const { data } = toFloats(w!);
    const expected = Float32Array.from({ length: data.length / 32 }, (_, i) => i).map(
      (i) => widen(packs.subarray(i * bytes, (i + 1) * bytes))[31]!,
    );
    expect(expected.findIndex((number, i) => number !== data[32 * i + 31])).toBe(-1);
  });

  it('that becomes shorter while it is read is damaged', async () => {
    const floats = Buffer.alloc(4_000_000, 1);
    const file = await open(ggufBytes([], [{ name: 'b', sizes: [1_000_000], type: 0, bytes: floats }]));
    await truncate(file.path, 100_000);
    const error = { code: 'engine.base_model_damaged', message: expect.stringMatching(/ends here/) as unknown };
    await expect(read(file, 'b')).rejects.toMatchObject(error);
    await file.close();
  });

  it.each([
    ['that it does not have', 'x', 'engine.base_model_damaged', /no such tensor/],
    ['of blocks in a vector', 'v', 'engine.base_model_unsupported', /Q4_0 is only read for matrices/],
  ])('refuses a tensor %s', async (_, name, code, message) => {
    const file = await open(ggufBytes([], [{ name: 'v', sizes: [32], type: 2, bytes: Buffer.alloc(18) }]));
    const refusal = { code, message: expect.stringMatching(message) as unknown };
    await expect(read(file, name)).rejects.toMatchObject(refusal);
    await file.close();
  });
});
