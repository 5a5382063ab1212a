import fc from 'fast-check';

import { writtenEmbedding } from './written-embedding.js';

describe('writtenEmbedding', () => {
  const floats = fc.float32Array({ noNaN: true, noDefaultInfinity: true, minLength: 1 });

  it('keeps every 32-bit number in a list', () => {
    fc.assert(
      fc.property(floats, (embedding) => {
        const numbers = JSON.parse(writtenEmbedding(embedding, 'float')) as number[];
        expect(Float32Array.from(numbers)).toEqual(embedding.map((value) => value + 0));
      }),
    );
  });

  it('keeps every 32-bit number in base64', () => {
    fc.assert(
      fc.property(floats, (embedding) => {
        const bytes = Buffer.from(JSON.parse(writtenEmbedding(embedding, 'base64')) as string, 'base64');
        expect(new Float32Array(new Uint8Array(bytes).buffer)).toEqual(embedding);
      }),
    );
  });
});
