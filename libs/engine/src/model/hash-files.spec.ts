import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { hashFile, readHashed } from './hash-files.js';
import { useTempFolder } from './temp-folder.fixture.js';

const folder = useTempFolder();

describe('a file that is read and hashed', () => {
  it.each([0, 1, 1 << 18, 1 << 20, (1 << 20) + 1, 3_500_000])('of %d bytes has its own', async (length) => {
    const path = join(folder(), 'x');
    const content = randomBytes(length);
    await writeFile(path, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const read = await readHashed(path);
    expect(read.sha256).toBe(sha256);
    expect(Buffer.compare(read.bytes, content)).toBe(0);
    expect(read.bytes.buffer.byteLength).toBe(length);
    expect(await hashFile(path)).toBe(sha256);
  });
});
