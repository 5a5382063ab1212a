import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';

const DIST = join(import.meta.dirname, '../../dist/index.js');

describe('closing a serving engine', () => {
  const folder = useTempFolder();

  it('leaves its process alive while sixteen requests run, time after time', async () => {
    const base = join(folder(), 'base');
    await writeRandomLlama(base, { config: { hiddenSize: 128, intermediateSize: 384, numLayers: 4 } });
    const script = join(folder(), 'close.mjs');
    // In a child process: the crash under test would end the test process.
    await writeFile(
      script,
      `import { PLAIN_ENDING, PLAIN_REQUEST, ServingEngine } from ${JSON.stringify(DIST)};
       const base = ${JSON.stringify(base)};
       const ending = { ...PLAIN_ENDING, ignoreEos: true };
       for (let round = 0; round < 8; round += 1) {
         const engine = ServingEngine.start({ threads: 2 });
         await engine.loadBase(base);
         const began = [];
         const answers = Array.from({ length: 16 }, () => {
           let resolve;
           began.push(new Promise((begin) => (resolve = begin)));
           return (async () => {
             const request = { ...PLAIN_REQUEST, promptIds: [1, 40, 41], maxTokens: 200, ending };
             for await (const event of engine.generate({ base, checkpoint: null }, request)) if (event.kind === 'text') resolve();
           })().catch((error) => error.code);
         });
         await Promise.all(began);
         await engine.close();
         console.log((await Promise.all(answers)).every((code) => code === 'engine.closed'));
       }`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, output }).toEqual({ code: 0, output: 'true\n'.repeat(8) });
  });
});
