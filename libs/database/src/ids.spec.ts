import { newId } from './ids.js';

describe('newId', () => {
  it('makes UUIDv7s that sort in the order they were made', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(new Set(ids).size).toBe(10_000);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(parseInt((ids[0] as string).replace('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(10_000);
  });
});
