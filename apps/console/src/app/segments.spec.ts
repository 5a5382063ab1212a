import { segmentsOf } from './segments.js';

describe('the parts of an address', () => {
  it.each(['a', 'a/b', '50%', '100%25', '%2F', 'ü', 'a b', '?#'])('give %s back as it was encoded', (id) => {
    expect(segmentsOf(`/console/p/${encodeURIComponent(id)}`)).toEqual(['console', 'p', id]);
  });

  it('survive what is no encoding', () => expect(segmentsOf('/a%zz/b')).toEqual(['a%zz', 'b']));
});
