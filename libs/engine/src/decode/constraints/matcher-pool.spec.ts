import { allows } from '../sampling/token-mask.js';
import type { ConstraintSource } from './constraint.js';
import { MatcherPool } from './matcher-pool.js';
import { END, WALK_TOKENS } from './token-walk.fixture.js';

const ITEMS = { enum: ['éa', 12, 'ab"', null] };
const SOURCE: ConstraintSource = {
  kind: 'json_schema',
  schema: { type: 'array', items: ITEMS },
  whitespace: 'none',
  onlyDeclared: false,
};
const TEXTS = ['["éa",12,"ab\\""]', '[null,12]'];

describe('MatcherPool', () => {
  it('accepts a proposed token exactly where the mask allows it', async () => {
    const ids = Array.from({ length: WALK_TOKENS.vocabSize }, (_, id) => id);
    let end = 0;
    const ends = Uint32Array.from(ids, (id) => (end += WALK_TOKENS.tokenBytes(id).length));
    const bytes = Buffer.concat(ids.map((id) => WALK_TOKENS.tokenBytes(id)));
    const pool = await MatcherPool.create({ bytes, ends, endIds: [END], maxStates: 1_000 });
    for (const text of TEXTS) {
      const tokens = [...Buffer.from(text), END];
      for (let length = 0; length <= tokens.length; length += 1) {
        const accepted = tokens.slice(0, length);
        await pool.open(0, SOURCE, accepted);
        const { mask } = (await pool.mask(0))!;
        pool.close(0);
        const taken: number[] = [];
        for (const id of [-1, ...ids, WALK_TOKENS.vocabSize]) {
          await pool.open(0, SOURCE, accepted);
          const count = pool.propose(0, id);
          if (count !== null) taken.push(id);
          expect([null, length + 1]).toContain(count);
          pool.close(0);
        }
        expect(taken).toEqual(ids.filter((id) => allows(mask, id)));
      }
    }
  });
});
