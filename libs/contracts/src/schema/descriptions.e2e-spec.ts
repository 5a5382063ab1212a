import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('the generated descriptions', () => {
  it('are those of the doc comments', () => {
    const script = join(import.meta.dirname, '../../generate-descriptions.mjs');
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
  });
});
