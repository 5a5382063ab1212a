import { Journal } from './journal.js';

/** Appends records from eight loops until it is killed; prints each number when its record is acknowledged. */
const journal = await Journal.open({ folder: process.argv[2] as string, sync: 'write', maxSegmentBytes: 20_000 });
const lane = async (from: number) => {
  for (let n = from; ; n += 8) {
    await journal.append(JSON.stringify({ n, text: 'x'.repeat(n % 300) }));
    process.stdout.write(`${n}\n`);
  }
};
await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(lane));
