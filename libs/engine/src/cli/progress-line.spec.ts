import { ProgressLine } from './progress-line.js';

const FILE = 'model.safetensors';
const TOTAL = 40e6;

/** What is written for one megabyte after the other, ten a second. */
function show(isTTY: boolean, from = 0): string[] {
  const written: string[] = [];
  let ms = 0;
  const line = new ProgressLine({ isTTY, write: (text) => written.push(text) }, () => ms);
  for (let bytes = from; bytes <= TOTAL; bytes += 1e6, ms += 100) line.show({ file: FILE, bytes, total: TOTAL });
  return written;
}

describe('the progress of a download', () => {
  it('is one line of a terminal, five times a second at most', () => {
    const written = show(true);
    expect(written).toHaveLength(21);
    expect(written[10]).toBe(`\r\u001b[K${FILE}  ############............  20.0 MB of 40.0 MB, 2 s left`);
    expect(written.at(-1)).toBe(`\r\u001b[K${FILE}  40.0 MB\n`);
  });

  it('counts what came before towards the whole, not towards the speed', () => {
    expect(show(true, 20e6)[5]).toContain('30.0 MB of 40.0 MB, 1 s left');
  });

  it('is a line for the whole file elsewhere', () => {
    expect(show(false)).toEqual([`${FILE}  40.0 MB\n`]);
  });

  it('is not shown for small files', () => {
    const written: string[] = [];
    const line = new ProgressLine({ isTTY: true, write: (text) => written.push(text) });
    line.show({ file: 'config.json', bytes: 700, total: 700 });
    expect(written).toEqual([]);
  });
});
